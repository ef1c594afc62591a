// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseBackend: SignUpBackend {
    /// A project that confirms addresses answers with a user alone, and the same whether the address is somebody's or
    /// not: what is awaited then is that the mail is answered.
    public func signUp(_ request: SignUpRequest) async throws(AuthError) -> SignInStep {
        let identifier = try SupabaseIdentifier(request.identifier)
        let answer = try await service.ask(
            "POST", "/signup", query: [("redirect_to", configuration.redirectURI)],
            identifier.body([
                "password": .string(request.password.reveal()), "data": .object(Self.object(request.attributes)),
            ]))
        if answer.hasSession { return try await step(answer) }
        _ = try answer.user()
        return .awaiting(Self.confirmation(of: identifier))
    }

    public func resendConfirmation(to identifier: String) async throws(AuthError) {
        let identifier = try SupabaseIdentifier(identifier)
        _ = try await service.ask(
            "POST", "/resend", query: [("redirect_to", configuration.redirectURI)],
            identifier.body(["type": identifier.isEmail ? "signup" : "sms"]))
    }

    public func confirmSignUp(
        identifier: String, code: Secret<String>
    ) async throws(AuthError) -> SignInStep? {
        let identifier = try SupabaseIdentifier(identifier)
        return try await verify(
            identifier.body(["type": identifier.isEmail ? "signup" : "sms", "token": .string(code.reveal())]))
    }
}

extension SupabaseBackend: RecoveryBackend {
    public func beginRecovery(identifier: String) async throws(AuthError) {
        let identifier = try SupabaseIdentifier(identifier)
        guard identifier.isEmail else {
            throw AuthError(.unsupported, reason: "a number is signed in by a code, and gets its password then")
        }
        _ = try await service.ask(
            "POST", "/recover", query: [("redirect_to", configuration.redirectURI)], identifier.body([:]))
    }

    /// The proof is spent by the first call. Where the password is refused then, the next call with the same proof goes
    /// on with what it bought.
    public func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> SignInStep? {
        var grant: SessionGrant
        if let tokens = await pending.tokens(boughtBy: proof) {
            grant = SessionGrant(tokens: tokens, user: nil, serverDate: nil)
        } else {
            var body: JSONObject = ["type": "recovery"]
            if let identifier {
                body["token"] = .string(proof.reveal())
                body = try SupabaseIdentifier(identifier).body(body)
            } else {
                body["token_hash"] = .string(proof.reveal())
            }
            grant = try await service.ask("POST", "/verify", body).session()
            // A recovery that was given up for this one leaves no session at the service that nobody holds. Nobody
            // waits for its end, which this proof's password may not depend on.
            if let former = await pending.keep(grant.tokens, boughtBy: proof) {
                Task { try? await revoke(former, scope: .local) }
            }
        }
        let answer = try await service.ask(
            "PUT", "/user", ["password": .string(newPassword.reveal())], token: grant.tokens.accessToken)
        await pending.endRecovery(boughtBy: proof)
        grant = try Self.continued(grant.tokens, answer)
        return try await finish(grant)
    }
}
