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
            let (_, tokens) = try await liveTokens()
            return try await verifying.sendVerification(tokens)
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
        try await replace { tokens throws(AuthError) in try await backend.link(proof, to: tokens) }
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

    public func reauthenticate(with proof: SignInProof) async throws(AuthError) {
        let backend = try feature((any AccountBackend).self)
        try await replace { tokens throws(AuthError) in try await backend.reauthenticate(tokens, with: proof) }
    }

    public func deleteAccount() async throws(AuthError) {
        let backend = try feature((any AccountBackend).self)
        let (generation, tokens) = try await liveTokens()
        try await backend.deleteAccount(tokens)
        await settle(.ended(generation, .accountDeleted))
    }

    @discardableResult
    public func refreshUser() async throws(AuthError) -> SessionUser {
        var (generation, tokens) = try await liveTokens()
        do throws(AuthError) {
            let user = try await backend.user(tokens)
            await settle(.confirmed(generation, user))
            return user
        } catch  where error.code.endsSession {
            // Only a refresh tells what that means.
            _ = try await accessToken(insteadOf: tokens.accessToken)
            (generation, tokens) = try await liveTokens()
        }
        let user = try await backend.user(tokens)
        await settle(.confirmed(generation, user))
        return user
    }

    // MARK: Help

    private func feature<Feature>(_ type: Feature.Type) throws(AuthError) -> Feature {
        guard let feature = backend as? Feature else { throw AuthError(.unsupported) }
        return feature
    }

    /// The tokens of now, with an access token that lives, and whose they are.
    private func liveTokens() async throws(AuthError) -> (Int, TokenSet) {
        _ = try await accessToken()
        guard
            let live = core.withLock({ core in
                core.machine.phase.session.map { (core.machine.generation, $0.tokens) }
            })
        else { throw AuthError(.notSignedIn) }
        return live
    }

    private func replace(
        _ operation: @Sendable (TokenSet) async throws(AuthError) -> SessionGrant?
    ) async throws(AuthError) {
        let (generation, tokens) = try await liveTokens()
        guard let grant = try await operation(tokens) else { return }
        await settle(.sessionReplaced(generation, grant))
        guard core.withLock({ $0.machine.phase.session != nil }) else { throw AuthError(.superseded) }
    }
}
