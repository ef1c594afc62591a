// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What only some vendors have.
extension SessionService {
    @discardableResult
    public func signUp(_ request: SignUpRequest) async throws(AuthError) -> AuthState {
        let backend = try feature((any SignUpBackend).self)
        return try await begin { _ throws(AuthError) in try await backend.signUp(request) }
    }

    public func resendConfirmation(to identifier: String) async throws(AuthError) {
        // Whoever is in already (G-4.5), at a vendor that mails to who is signed in.
        let address = core.withLock { $0.machine.phase.session?.user.email }
        if let verifying = backend as? any VerificationBackend,
            address?.utf8.elementsEqual(identifier.utf8) == true
        {
            do throws(AuthError) {
                return try await ask { session throws(AuthError) in
                    try await verifying.sendVerification(session.tokens)
                }
            } catch {
                // A backend that stands before others does not know beforehand.
                guard error.code == .unsupported else { throw error }
            }
        }
        try await feature((any SignUpBackend).self).resendConfirmation(to: identifier)
    }

    @discardableResult
    public func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> AuthState {
        let backend = try feature((any SignUpBackend).self)
        let state = try await begin { _ throws(AuthError) in
            try await backend.confirmSignUp(identifier: identifier, code: code)
        }
        // Confirmed without a session: the step is behind the user, who signs in now.
        if case .awaiting(let step) = state, step.kind == .confirmation {
            await abandonStep()
            return self.state
        }
        return state
    }

    public func beginRecovery(identifier: String) async throws(AuthError) {
        try await feature((any RecoveryBackend).self).beginRecovery(identifier: identifier)
    }

    @discardableResult
    public func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> AuthState {
        let backend = try feature((any RecoveryBackend).self)
        return try await begin { _ throws(AuthError) in
            try await backend.finishRecovery(identifier: identifier, proof: proof, newPassword: newPassword)
        }
    }

    public func link(_ proof: SignInProof) async throws(AuthError) {
        let backend = try feature((any AccountBackend).self)
        // A browser is its user's to close.
        let isBrief = if case .browser = proof { false } else { true }
        try await replace(isBrief: isBrief) { tokens throws(AuthError) in try await backend.link(proof, to: tokens) }
    }

    public func unlink(provider: String) async throws(AuthError) {
        let backend = try feature((any AccountBackend).self)
        try await replace { tokens throws(AuthError) in try await backend.unlink(provider: provider, from: tokens) }
    }

    public func changePassword(current: Secret<String>?, new: Secret<String>) async throws(AuthError) {
        let backend = try feature((any AccountBackend).self)
        try await replace { tokens throws(AuthError) in
            try await backend.changePassword(tokens, current: current, new: new)
        }
    }

    @discardableResult
    public func deleteAccount() async throws(AuthError) -> AccountDeletion {
        let backend = try feature((any AccountBackend).self)
        return try await deleteAccount { tokens throws(AuthError) in try await backend.deleteAccount(tokens) }
    }

    /// The same by another service than the vendor's, such as the server's own API for apps: not each vendor has such
    /// an operation.
    ///
    /// - Parameter delete: asks it, and throws where the account is there still.
    @discardableResult
    public func deleteAccount(
        by delete: @escaping @Sendable (TokenSet) async throws(AuthError) -> AccountDeletion
    ) async throws(AuthError) -> AccountDeletion {
        try await inTurn { [self] session throws(AuthError) in
            // Whoever has left the screen has their account deleted all the same, and the device cleared of it.
            try await Self.toItsEnd { () throws(AuthError) in
                let deletion = try await delete(session.tokens)
                await (self.backend as? any AccountBackend)?.accountEnded(session.tokens)
                await self.settle(.ended(family: session.family, .accountDeleted))
                return deletion
            }.get()
        }
    }

    @discardableResult
    public func refreshUser() async throws(AuthError) -> SessionUser {
        let backend = backend
        let (session, user) = try await ask(again: \.endsSession) { session throws(AuthError) in
            (session, try await backend.user(session.tokens))
        }
        guard Subject.isSame(user.subject, session.given.subject) else {
            throw AuthError(.unavailable, reason: "an answer about another user")
        }
        await settle(.confirmed(session.given.stamp.generation, user))
        // Somebody else may be there by now, and nothing of this user's is to be shown.
        guard isThere(session) else { throw AuthError(.superseded) }
        return user
    }

    func feature<Feature>(_ type: Feature.Type) throws(AuthError) -> Feature {
        guard let feature = backend as? Feature else { throw AuthError(.unsupported) }
        return feature
    }

    private func replace(
        isBrief: Bool = true,
        _ operation: @escaping @Sendable (TokenSet) async throws(AuthError) -> SessionGrant?
    ) async throws(AuthError) {
        _ = try await inTurn(isBrief: isBrief) { [self] session throws(AuthError) in
            guard let grant = try await operation(session.tokens) else { return }
            try await take(grant, of: session)
        }
    }
}
