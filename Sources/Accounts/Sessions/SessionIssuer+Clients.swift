// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SessionIssuer {
    /// Opens a session for a client that the user has sent by a browser where they are signed in already (ADR 0036).
    /// Nobody signs in: nothing is stamped on the account, and no other session gives way.
    ///
    /// - Parameters:
    ///   - id: the session's, where it was chosen before.
    ///   - browser: the browser's session, which lives.
    ///   - proof: what was proved when it was opened.
    /// - Returns: a refusal as a value, as ``conclude(_:of:)`` does.
    func open(
        _ grant: ClientGrant, as id: SessionID? = nil, under browser: Session, _ proof: SignInProof, of user: User
    ) throws -> Result<IssuedSession, AuthError> {
        let (call, tx) = (step.call, step.tx)
        if let refusal = call.refusal(of: user) { return .failure(AuthError(refusal)) }
        let (session, live) = Self.drawn(
            grant, as: id ?? step.identifier(), under: browser, proof, of: user, call, step.random)
        try keep(session, under: browser, of: user)
        return .success(
            try IssuedSession(
                user, try LocalIdentities.shown(of: user, call, tx), session, live, .signedIn, call, tx))
    }

    /// The session that ``open(_:as:under:_:of:)`` opens, and the refresh token that its holder is given.
    static func drawn(
        _ grant: ClientGrant, as id: SessionID, under browser: Session, _ proof: SignInProof, of user: User,
        _ call: CallContext, _ random: any RandomSource
    ) -> (session: Session, live: RefreshToken) {
        let (family, live) = RefreshTokenFamily.open(for: id, secret: random.bytes(RefreshToken.secretLength))
        let ends = [notAfter(call), grant.isOffline ? nil : browser.notAfter].compactMap(\.self)
        // Of the device that the user sat at: the token may be fetched by a server of the client's.
        let session = Session(
            id: id, directoryID: user.directoryID, userID: user.id, device: browser.device, methods: proof.methods,
            assurance: proof.assurance, createdAt: call.now, lastActiveAt: call.now, notAfter: ends.min(),
            family: family, clientID: call.client?.id, rotates: rotates(grant, call), claims: browser.claims,
            parentID: browser.id, grant: grant)
        return (session, live)
    }

    /// Stores a session that was drawn for a client.
    func keep(_ session: Session, under browser: Session, of user: User) throws {
        try step.tx.insert(session)
        try step.record(
            .clientSignedIn, user,
            details: [
                "client": .string(session.clientID?.rawValue ?? ""), "session": .string(session.id.rawValue),
                "browser_session": .string(browser.id.rawValue),
            ])
    }

    /// What a client that can keep no secret holds must change with each use or be bound to a key (RFC 9700,
    /// section 2.2.2), unless the call's dialect says what its clients take.
    static func rotates(_ grant: ClientGrant, _ call: CallContext) -> Bool? {
        if let rotates = call.rotates { return rotates }
        if let client = call.client, client.authenticates(by: .publicClient), grant.dpopKey == nil { return true }
        return call.client?.settings.rotatesRefreshTokens
    }
}
