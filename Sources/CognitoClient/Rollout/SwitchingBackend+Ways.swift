// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Both ways know whose session counts: the one that it did not come by has nobody.
extension SwitchingBackend: SessionFollowing {
    public func sessionBecame(_ tokens: TokenSet?) async {
        let isNew = tokens.map { backend(of: $0).isNew }
        await (old as? any SessionFollowing)?.sessionBecame(isNew == false ? tokens : nil)
        await (new as? any SessionFollowing)?.sessionBecame(isNew == true ? tokens : nil)
    }
}

/// By the way that new sign-ins take, where that one makes accounts, else by the other.
extension SwitchingBackend: SignUpBackend {
    public func signUp(_ request: SignUpRequest) async throws(AuthError) -> SignInStep {
        let (way, isNew): (any SignUpBackend, Bool) = try way()
        let step = try await way.signUp(request)
        return isNew ? marked(step) : step
    }

    public func resendConfirmation(to identifier: String) async throws(AuthError) {
        let (way, _): (any SignUpBackend, Bool) = try way()
        try await way.resendConfirmation(to: identifier)
    }

    public func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> SignInStep? {
        let (way, isNew): (any SignUpBackend, Bool) = try way()
        let step = try await way.confirmSignUp(identifier: identifier, code: code)
        return isNew ? step.map { marked($0) } : step
    }

    /// Which of the two it is, is said by its place and not by its name, which both may have: what the new one began is
    /// never gone on with by the old one.
    private func way<Feature>() throws(AuthError) -> (Feature, Bool) {
        let ways: [(any IdentityBackend, isNew: Bool)] =
            prefersNew ? [(new, true), (old, false)] : [(old, false), (new, true)]
        for (way, isNew) in ways {
            if let feature = way as? Feature { return (feature, isNew) }
        }
        throw AuthError(.unsupported, reason: "by neither way")
    }
}

/// The same for a new password.
extension SwitchingBackend: RecoveryBackend {
    public func beginRecovery(identifier: String) async throws(AuthError) {
        let (way, _): (any RecoveryBackend, Bool) = try way()
        try await way.beginRecovery(identifier: identifier)
    }

    public func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> SignInStep? {
        let (way, isNew): (any RecoveryBackend, Bool) = try way()
        let step = try await way.finishRecovery(identifier: identifier, proof: proof, newPassword: newPassword)
        return isNew ? step.map { marked($0) } : step
    }
}
