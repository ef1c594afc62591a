// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// `/factors`: second factors of who is signed in.
extension SupabaseBackend: SecondFactorBackend {
    /// `/user`, and how many backup codes there are where the service has such. The session's level stands in its token
    /// (`aal`).
    public func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        let user = try await user(tokens)
        return SecondFactors(
            factors: user.factors.map(\.factor), backupCodesLeft: try await backupCodesLeft(tokens),
            isRaised: SupabaseClaims(tokens.accessToken)?.isOfTwoFactors)
    }

    private func backupCodesLeft(_ tokens: TokenSet) async throws(AuthError) -> Int? {
        do throws(AuthError) {
            let answer = try await service.ask("GET", "/factors/recovery-codes", token: tokens.accessToken)
            return answer.members["remaining"]?.integerValue.flatMap { Int(exactly: $0) }
        } catch {
            // A service from before there were any does not know the path.
            guard [.factorNotFound, .factorDisabled, .notFound, .methodNotAllowed, .unavailable].contains(error.code)
            else { throw error }
            return nil
        }
    }

    /// An authenticator app; a number, to which a code is sent; a security key by the authenticator that the app gave.
    public func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        var body: JSONObject = ["friendly_name": .string(factor.name ?? "")]
        switch factor.kind {
        case .authenticator:
            body["factor_type"] = "totp"
            if let issuer = factor.label?.issuer { body["issuer"] = .string(issuer) }
        case .phone:
            guard let number = factor.destination else { throw AuthError(.invalidPhone, field: "destination") }
            body["factor_type"] = "phone"
            body["phone"] = .string(number)
        case .securityKey:
            guard authenticator != nil else { throw Self.noAuthenticator }
            body["factor_type"] = "webauthn"
        case .email, .passkey, .backupCode, .password:
            throw AuthError(.unsupported, reason: "the service has no such second factor")
        }
        let answer = try await begun(body, tokens)
        guard let id = answer.members["id"]?.stringValue else {
            throw AuthError(.unavailable, reason: "the answer is no factor")
        }
        switch factor.kind {
        case .securityKey: return .done(try await showKey(id, isNew: true, tokens.accessToken))
        case .phone:
            let challenge = try await challenge(id, isPhone: true, tokens.accessToken).id
            return .awaiting(
                FactorEnrolment(
                    kind: .phone, destination: factor.destination,
                    ticket: Secret(["factor": id, "challenge": challenge])))
        default:
            let app = answer.members["totp"]?.objectValue
            guard let secret = app?["secret"]?.stringValue else {
                throw AuthError(.unavailable, reason: "the service gave no secret")
            }
            return .awaiting(
                FactorEnrolment(
                    kind: .authenticator, secret: Secret(secret), uri: app?["uri"]?.stringValue.map { Secret($0) },
                    ticket: Secret(["factor": id])))
        }
    }

    /// One of the same name that was begun and never confirmed gives way.
    private func begun(_ body: JSONObject, _ tokens: TokenSet) async throws(AuthError) -> SupabaseService.Answer {
        do throws(AuthError) {
            return try await service.ask("POST", "/factors", body, token: tokens.accessToken)
        } catch {
            guard error.code == .factorNameExists else { throw error }
            let name = body["friendly_name"]?.stringValue ?? ""
            let former = try await user(tokens).factors.first { !$0.isVerified && $0.name ?? "" == name }
            guard let former else { throw error }
            _ = try await removeFactor(former.id, tokens)
            return try await service.ask("POST", "/factors", body, token: tokens.accessToken)
        }
    }

    /// The session's next tokens are of `aal2`; other sessions of the user's that have shown no factor are over.
    public func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        let ticket = enrolment.ticket.reveal()
        guard let factor = ticket["factor"] else { throw AuthError(.factorNotFound) }
        let challenge: String
        if let sent = ticket["challenge"] {
            challenge = sent
        } else {
            challenge = try await self.challenge(factor, isPhone: false, tokens.accessToken).id
        }
        return try await verify(
            factor, ["challenge_id": .string(challenge), "code": .string(code.reveal())], tokens.accessToken)
    }

    public func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        _ = try await service.ask("DELETE", Self.path(id), token: tokens.accessToken)
        return nil
    }
}

extension SupabaseBackend: StepUpBackend {
    public func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep {
        let user = try await user(tokens)
        guard let step = try await factorStep(of: user, by: tokens.accessToken) else {
            throw AuthError(.factorNotFound, reason: "no second factor that could be asked for here")
        }
        return step
    }

    public func stepUp(
        _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
    ) async throws(AuthError) -> SignInStep {
        try await answerFactor(step, with: answer, by: tokens.accessToken)
    }
}

extension SupabaseBackend: BackupCodeBackend {
    /// A first set, or one in place of that which is there.
    public func makeBackupCodes(_ tokens: TokenSet) async throws(AuthError) -> [Secret<String>] {
        let answer: SupabaseService.Answer
        do throws(AuthError) {
            answer = try await service.ask("POST", "/factors/recovery-codes/regenerate", [:], token: tokens.accessToken)
        } catch {
            guard error.code == .factorNotFound else { throw error }
            answer = try await service.ask("POST", "/factors/recovery-codes", [:], token: tokens.accessToken)
        }
        let codes = (answer.members["codes"]?.arrayValue ?? []).prefix(100).compactMap(\.stringValue)
        guard !codes.isEmpty else { throw AuthError(.unavailable, reason: "the answer has no codes") }
        return codes.map { Secret($0) }
    }
}
