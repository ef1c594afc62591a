// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What only a session may do that was raised by a second factor, where its user has one: the one rule for all of it.
/// It asks the store, since a factor may have been set up after the caller's session was read.
///
/// - A password, an address, a number, an identity is changed or taken away.
/// - A factor is set up or removed, and backup codes are made.
/// - The account is deleted, or everything that is known of it handed out.
struct AssuranceRule {
    let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Throws: ``AuthErrorCode/insufficientAssurance``, also for a token that names no session: nothing says what its
    ///   holder has proved.
    func require(_ authenticated: AuthenticatedUser) throws {
        guard try Self.isMet(by: authenticated, step.call, step.tx) else { throw AuthError(.insufficientAssurance) }
    }

    /// Whether ``require(_:)`` would let them, for who asks beforehand.
    static func isMet(by authenticated: AuthenticatedUser, _ call: CallContext, _ tx: any StoreReading) throws -> Bool {
        try holds(
            for: authenticated.user.id, in: authenticated.session?.id, tokenIssuedAt: authenticated.tokenIssuedAt,
            of: call.directory, at: call.now, tx)
    }

    /// As ``require(_:)``, where only the session is known in which somebody began.
    func require(_ user: UserID, in session: SessionID?) throws {
        guard
            try Self.holds(
                for: user, in: session, tokenIssuedAt: nil, of: step.call.directory, at: step.now, step.tx)
        else { throw AuthError(.insufficientAssurance) }
    }

    /// - Parameter tokenIssuedAt: of the access token that names the session: one from before the second factor was
    ///   shown in it may be in other hands than the one that was given for it. Whole seconds; `nil` where no token is
    ///   shown.
    static func holds(
        for user: UserID, in session: SessionID?, tokenIssuedAt: Instant?, of directory: Directory, at now: Instant,
        _ tx: any StoreReading
    ) throws -> Bool {
        guard try FactorStanding(of: user, in: directory.id, directory.settings, tx).isSet else { return true }
        guard let session, let found = try tx.session(session, in: directory.id), found.userID == user,
            found.revokedAt == nil, found.assurance >= .aal2
        else { return false }
        let shown = found.methods.filter { $0.name.isSecondFactor || $0.name == .passkey }.map(\.at).max()
        guard let tokenIssuedAt, let shown, !shown.liesAhead(of: now) else { return true }
        return tokenIssuedAt.seconds >= shown.seconds
    }
}

extension AccountPorts {
    /// As ``AssuranceRule/require(_:)``, before anything is judged that its refusal would tell of. The transaction that
    /// writes asks again.
    func requireAssurance(_ authenticated: AuthenticatedUser, call: CallContext) async throws {
        guard try await store.read({ try AssuranceRule.isMet(by: authenticated, call, $0) }) else {
            throw AuthError(.insufficientAssurance)
        }
    }
}
