// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// By the backend that opens the sessions, as far as it has it.
extension HybridBackend: SecondFactorBackend {
    public func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        try await feature((any SecondFactorBackend).self).secondFactors(tokens)
    }

    public func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        switch try await feature((any SecondFactorBackend).self).enrol(factor, tokens) {
        case .awaiting(let enrolment): .awaiting(enrolment)
        case .done(let grant): .done(grant.map { continued(tokens, $0) })
        }
    }

    public func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        let grant = try await feature((any SecondFactorBackend).self).confirm(enrolment, with: code, tokens)
        return grant.map { continued(tokens, $0) }
    }

    public func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        let grant = try await feature((any SecondFactorBackend).self).removeFactor(id, tokens)
        return grant.map { continued(tokens, $0) }
    }
}

extension HybridBackend: StepUpBackend {
    public func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep {
        try await feature((any StepUpBackend).self).beginStepUp(tokens)
    }

    public func stepUp(
        _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
    ) async throws(AuthError) -> SignInStep {
        switch try await feature((any StepUpBackend).self).stepUp(step, with: answer, tokens) {
        case .session(let grant): .session(continued(tokens, grant))
        case .awaiting(let next): .awaiting(next)
        }
    }
}

extension HybridBackend: BackupCodeBackend {
    public func makeBackupCodes(_ tokens: TokenSet) async throws(AuthError) -> [Secret<String>] {
        try await feature((any BackupCodeBackend).self).makeBackupCodes(tokens)
    }
}

extension HybridBackend: VerificationBackend {
    public func sendVerification(_ tokens: TokenSet) async throws(AuthError) {
        try await feature((any VerificationBackend).self).sendVerification(tokens)
    }
}

/// Those of whoever is signed in: a hybrid sign-in itself is by the provider's kit alone.
extension HybridBackend: PasskeyBackend {
    public func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey] {
        try await feature((any PasskeyBackend).self).passkeys(tokens)
    }

    public func addPasskey(_ tokens: TokenSet) async throws(AuthError) {
        try await feature((any PasskeyBackend).self).addPasskey(tokens)
    }

    public func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError) {
        try await feature((any PasskeyBackend).self).removePasskey(id, tokens)
    }
}

extension HybridBackend {
    func feature<Feature>(_ type: Feature.Type) throws(AuthError) -> Feature {
        guard let feature = session as? Feature else {
            throw AuthError(.unsupported, reason: "not by the backend that opens the sessions")
        }
        return feature
    }
}
