// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

// The service opens a session of `aal1` before any second factor; the app asks for it, and the same session goes on as
// `aal2`.
extension SupabaseBackend {
    /// The first factor that can be asked for here, where the user has one and did not show it yet.
    func secondFactor(of grant: SessionGrant) async throws(AuthError) -> AwaitedStep? {
        // One that can't be read here, such as for all the metadata in it, has shown nothing.
        guard let user = grant.user, SupabaseClaims(grant.tokens.accessToken)?.isOfTwoFactors != true else {
            return nil
        }
        let token = grant.tokens.accessToken
        guard var step = try await factorStep(of: user, by: token) else { return nil }
        step.lifetime = SupabaseClaims(token)?.rest(at: grant.serverDate) ?? grant.tokens.lifetime
        step.ticket = Secret(step.ticket.reveal().merging(["access_token": token.reveal()]) { $1 })
        return step
    }

    /// - Returns: `nil` where there is none that can be asked for.
    func factorStep(of user: SessionUser, by token: Secret<String>) async throws(AuthError) -> AwaitedStep? {
        let all = user.factors.filter { $0.isVerified && ($0.kind != .securityKey || authenticator != nil) }
        guard let first = all.first else { return nil }
        return try await ask(
            first.choice, among: all.map(\.choice), of: user.email ?? user.phoneNumber, by: token)
    }

    private func ask(
        _ factor: FactorChoice, among all: [FactorChoice], of identifier: String?, by token: Secret<String>
    ) async throws(AuthError) -> AwaitedStep {
        var ticket = ["factor": factor.id]
        if factor.kind == .phone { ticket["challenge"] = try await challenge(factor.id, isPhone: true, token).id }
        let kind: AwaitedStep.Kind =
            factor.kind == .phone ? .code : factor.kind == .securityKey ? .passkey : .oneTimePassword
        return AwaitedStep(
            kind: kind, identifier: identifier, destination: factor.destination,
            choices: all.filter { $0.id != factor.id }, takesBackupCode: true, ticket: Secret(ticket))
    }

    /// The step's answer in the name of that token's session: the session as it is afterwards, or the step of another
    /// factor.
    func answerFactor(
        _ step: AwaitedStep, with answer: StepAnswer, by token: Secret<String>
    ) async throws(AuthError) -> SignInStep {
        var ticket = step.ticket.reveal()
        guard let factor = ticket["factor"] else { throw Self.otherAnswer }
        switch (step.kind, answer) {
        case (_, .choice(let id)):
            guard let chosen = step.choices.first(where: { $0.id == id }) else { throw Self.otherAnswer }
            let kind: FactorKind =
                step.kind == .code ? .phone : step.kind == .passkey ? .securityKey : .authenticator
            let former = FactorChoice(id: factor, kind: kind, destination: step.destination)
            var next = try await ask(chosen, among: [former] + step.choices, of: step.identifier, by: token)
            ticket["challenge"] = nil
            next.ticket = Secret(ticket.merging(next.ticket.reveal()) { $1 })
            next.lifetime = step.lifetime
            return .awaiting(next)
        case (_, .backupCode(let code)):
            return .session(
                try await service.ask(
                    "POST", "/factors/recovery-codes/verify", ["code": .string(code.reveal())], token: token
                ).session())
        case (.passkey, .passkey): return .session(try await showKey(factor, isNew: false, token))
        case (.code, .code(let code)), (.oneTimePassword, .code(let code)):
            let sent = ticket["challenge"]
            let challenge: String
            if let sent {
                challenge = sent
            } else {
                challenge = try await self.challenge(factor, isPhone: false, token).id
            }
            return .session(
                try await verify(factor, ["challenge_id": .string(challenge), "code": .string(code.reveal())], token))
        default: throw Self.otherAnswer
        }
    }

    // MARK: The wire

    func challenge(
        _ factor: String, isPhone: Bool, _ token: Secret<String>
    ) async throws(AuthError) -> (id: String, members: JSONObject) {
        let answer = try await service.ask(
            "POST", Self.path(factor) + "/challenge", isPhone ? ["channel": "sms"] : [:], token: token)
        guard let id = answer.members["id"]?.stringValue else {
            throw AuthError(.unavailable, reason: "the answer is no challenge")
        }
        return (id, answer.members)
    }

    func verify(
        _ factor: String, _ proof: JSONObject, _ token: Secret<String>
    ) async throws(AuthError) -> SessionGrant {
        try await service.ask("POST", Self.path(factor) + "/verify", proof, token: token).session()
    }

    /// - Parameter isNew: whether the factor's credential is made by it.
    func showKey(_ factor: String, isNew: Bool, _ token: Secret<String>) async throws(AuthError) -> SessionGrant {
        guard let authenticator else { throw Self.noAuthenticator }
        let (id, members) = try await challenge(factor, isPhone: false, token)
        let asked = members["webauthn"]?.objectValue?["credential_options"]?.objectValue?["publicKey"]?.objectValue
        guard let options = asked else { throw AuthError(.unavailable, reason: "the challenge has no options") }
        let credential: JSONObject
        do {
            credential =
                isNew ? try await authenticator.register(options) : try await authenticator.authenticate(options)
        } catch { throw AuthError(noPasskey: error) }
        let shown: JSONObject = [
            "type": isNew ? "create" : "request", "credential_response": .object(credential),
        ]
        return try await verify(factor, ["challenge_id": .string(id), "webauthn": .object(shown)], token)
    }

    static func path(_ factor: String) -> String { "/factors/" + PercentEncoding.encode(factor.utf8) }

    static let noAuthenticator = AuthError(.unsupported, reason: "the app gave no authenticator")
}
