// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseBackend {
    /// Sends a code, and where the project's mail has it a link, that signs in (`/otp`).
    ///
    /// - Parameter createsUser: whether somebody who has no account gets one.
    /// - Returns: the step that the code answers. It is the same whether there is such an account or not.
    public func sendCode(
        to identifier: String, createsUser: Bool = false, attributes: [String: String] = [:]
    ) async throws(AuthError) -> AwaitedStep {
        let identifier = try SupabaseIdentifier(identifier)
        var body: JSONObject = ["create_user": .bool(createsUser)]
        if !attributes.isEmpty { body["data"] = .object(Self.object(attributes)) }
        do throws(AuthError) {
            _ = try await service.ask(
                "POST", "/otp", query: [("redirect_to", configuration.redirectURI)], identifier.body(body))
        } catch {
            // The service refuses so whoever has no account and is to get none, which nobody is told (G-1.3).
            guard !createsUser, error.code == .oneTimeCodesDisabled else { throw error }
        }
        return AwaitedStep(
            kind: .code, identifier: identifier.text, destination: identifier.text,
            ticket: Secret(["type": identifier.codeKind]))
    }

    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        let ticket = step.ticket.reveal()
        if let token = ticket["access_token"] {
            do throws(AuthError) { return try await answerFactor(step, with: answer, by: Secret(token)) } catch {
                // It is the sign-in that is over then, and no session that anybody has.
                throw error.code.endsSession ? AuthError(.flowStateExpired, reason: error.reason) : error
            }
        }
        guard case .code(let code) = answer else { throw Self.otherAnswer }
        guard let text = step.identifier, let kind = ticket["type"] else { throw Self.otherAnswer }
        return try await verify(
            SupabaseIdentifier(text).body(["type": .string(kind), "token": .string(code.reveal())]))
    }

    /// - Parameter body: a code with its identifier, or a token hash; and the kind.
    func verify(_ body: JSONObject) async throws(AuthError) -> SignInStep {
        let answer = try await service.ask("POST", "/verify", body)
        guard answer.hasSession else {
            guard answer.members["msg"]?.stringValue != nil else {
                throw AuthError(.unavailable, reason: "the answer is neither session nor message")
            }
            // The first of the two messages of a change of address: the other one is still to be answered.
            return .awaiting(AwaitedStep(kind: .confirmation, ticket: Secret(["type": "email_change"])))
        }
        return try await self.step(answer)
    }

    static func confirmation(of identifier: SupabaseIdentifier) -> AwaitedStep {
        AwaitedStep(
            kind: .confirmation, identifier: identifier.text, destination: identifier.text,
            ticket: Secret(["type": identifier.isEmail ? "signup" : "sms"]))
    }

    static func object(_ attributes: [String: String]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        return object
    }

    static var otherAnswer: AuthError {
        AuthError(.invalidRequest, reason: "the step wants another answer")
    }
}
