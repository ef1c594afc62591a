// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// By the way that the session came, as far as that one has it.
extension SwitchingBackend: SecondFactorBackend {
    public func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        try await feature((any SecondFactorBackend).self, of: tokens).secondFactors(tokens)
    }

    public func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        switch try await feature((any SecondFactorBackend).self, of: tokens).enrol(factor, tokens) {
        case .awaiting(let enrolment): .awaiting(enrolment)
        case .done(let grant): .done(grant.map { continued(tokens, $0) })
        }
    }

    public func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        let way = try feature((any SecondFactorBackend).self, of: tokens)
        return try await way.confirm(enrolment, with: code, tokens).map { continued(tokens, $0) }
    }

    public func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        let way = try feature((any SecondFactorBackend).self, of: tokens)
        return try await way.removeFactor(id, tokens).map { continued(tokens, $0) }
    }
}

extension SwitchingBackend: StepUpBackend {
    public func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep {
        try await feature((any StepUpBackend).self, of: tokens).beginStepUp(tokens)
    }

    public func stepUp(
        _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
    ) async throws(AuthError) -> SignInStep {
        switch try await feature((any StepUpBackend).self, of: tokens).stepUp(step, with: answer, tokens) {
        case .session(let grant): .session(continued(tokens, grant))
        case .awaiting(let next): .awaiting(next)
        }
    }
}

extension SwitchingBackend: BackupCodeBackend {
    public func makeBackupCodes(_ tokens: TokenSet) async throws(AuthError) -> [Secret<String>] {
        try await feature((any BackupCodeBackend).self, of: tokens).makeBackupCodes(tokens)
    }
}

extension SwitchingBackend: VerificationBackend {
    public func sendVerification(_ tokens: TokenSet) async throws(AuthError) {
        try await feature((any VerificationBackend).self, of: tokens).sendVerification(tokens)
    }
}

extension SwitchingBackend: PasskeyBackend {
    public func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey] {
        try await feature((any PasskeyBackend).self, of: tokens).passkeys(tokens)
    }

    public func addPasskey(_ tokens: TokenSet) async throws(AuthError) {
        try await feature((any PasskeyBackend).self, of: tokens).addPasskey(tokens)
    }

    public func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError) {
        try await feature((any PasskeyBackend).self, of: tokens).removePasskey(id, tokens)
    }
}
