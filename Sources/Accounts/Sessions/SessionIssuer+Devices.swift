// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SessionIssuer {
    /// Opens a session on a device that a user has let in by their browser (RFC 8628; ADR 0040): one of its own, which
    /// ends neither with the browser's nor with its window.
    ///
    /// - Parameter proof: what still holds of what was proved in the browser's.
    /// - Returns: a refusal as a value, as ``conclude(_:of:)`` does.
    func open(
        _ grant: ClientGrant, allowedIn browser: Session, _ proof: SignInProof, of user: User
    ) throws -> Result<IssuedSession, AuthError> {
        let (call, tx) = (step.call, step.tx)
        if let refusal = call.refusal(of: user) { return .failure(AuthError(refusal)) }
        var device = call.device
        // By which people find it in the list of where they are signed in.
        device.name = device.name ?? call.client?.name
        let id: SessionID = step.identifier()
        let (family, live) = RefreshTokenFamily.open(for: id, secret: step.random.bytes(RefreshToken.secretLength))
        let session = Session(
            id: id, directoryID: user.directoryID, userID: user.id, device: device, methods: proof.methods,
            assurance: proof.assurance, createdAt: call.now, lastActiveAt: call.now, notAfter: Self.notAfter(call),
            family: family, clientID: call.client?.id, rotates: Self.rotates(grant, call), claims: browser.claims,
            grant: grant)
        let isNewDevice = try NewDevice(step).isNew(to: user)
        try tx.insert(session)
        if isNewDevice { try OwnerNotice(step).tellNewDevice(of: user) }
        try step.record(
            .clientSignedIn, user,
            details: [
                "client": .string(call.client?.id.rawValue ?? ""), "session": .string(id.rawValue),
                "browser_session": .string(browser.id.rawValue),
            ])
        return .success(
            try IssuedSession(user, try LocalIdentities.shown(of: user, call, tx), session, live, .signedIn, call, tx))
    }
}
