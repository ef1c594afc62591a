// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

extension SignInWorld {
    func supabaseProof(_ path: SignInPath) async throws -> SignInPath.Proof {
        switch path {
        case .supabaseEmailCode, .supabaseMagicLink:
            try await supabaseDone("/otp", ["email": .string(Self.email), "create_user": false])
            if path == .supabaseEmailCode { return try await sentCode(to: Self.email) }
            return try await linkParameter("token")
        case .supabasePhoneCode:
            try await supabaseDone("/otp", ["phone": .string(Self.phone), "create_user": false])
            return try await sentCode(to: Self.phone)
        case .supabaseRecovery:
            try await supabaseDone("/recover", ["email": .string(Self.email)])
            return try await sentCode(to: Self.email)
        case .supabaseExchange:
            let challenge = PKCE.challenge(for: Self.verifier)
            try await supabaseDone(
                "/otp?redirect_to=" + Self.redirectURI,
                [
                    "email": .string(Self.email), "create_user": false, "code_challenge": .string(challenge),
                    "code_challenge_method": "s256",
                ])
            let link = try #require(try await accounts.messages(to: Self.email).compactMap(\.link).first)
            let reply = try await pressSupabaseLink(String(link.split(separator: "?", maxSplits: 1).last ?? ""))
            return try #require(reply.answer["code"], "\(reply.status) \(reply.location ?? "") \(reply.text)")
        case .supabaseProvider:
            let challenge = PKCE.challenge(for: Self.verifier)
            let away = try await visitSupabase(
                "/authorize?provider=google&code_challenge=\(challenge)&code_challenge_method=s256")
            return try #require(away.answer["state"], "\(away.status) \(away.location ?? away.text)")
        case .supabaseRefresh:
            let reply = try await supabase(
                "/token?grant_type=password",
                ["email": .string(Self.email), "password": .string(AccountBench.password)])
            return try #require(reply["refresh_token"]?.stringValue, "\(reply.text)")
        case .supabasePasskey:
            try await addPasskey()
            let asked = try await supabase("/passkeys/authentication/options", [:])
            let options = try #require(asked["options"]?.objectValue, "\(asked.text)")
            let answer: JSONObject = [
                "challenge_id": asked["challenge_id"] ?? .null, "credential": .object(try passkeyAnswer(to: options)),
            ]
            return JSONValue.object(answer).text
        default: throw AuthError(.unsupported)
        }
    }

    func supabase(_ path: SignInPath, _ proof: SignInPath.Proof) async throws -> String {
        func verify(_ type: JSONValue, _ members: JSONObject) async throws -> HTTPBench.Reply {
            try await supabase("/verify", (["type": type] as JSONObject).merging(members))
        }
        let password = JSONValue.string(AccountBench.password)
        var code = proof
        if path == .supabaseProvider {
            // From the provider, with its word on who it is.
            let back = try await visitSupabase("/callback?state=\(proof)&code=\(try vouch())").answer
            guard let given = back["code"] else { return "\(back["error"] ?? "") \(back["error_code"] ?? "")" }
            code = given
        }
        let reply =
            switch path {
            case .supabasePassword:
                try await supabase(
                    "/token?grant_type=password", ["email": .string(Self.email), "password": password])
            case .supabasePhonePassword:
                try await supabase(
                    "/token?grant_type=password", ["phone": .string(Self.phone), "password": password])
            case .supabaseEmailCode:
                try await verify("email", ["email": .string(Self.email), "token": .string(proof)])
            case .supabaseMagicLink: try await verify("email", ["token_hash": .string(proof)])
            case .supabasePhoneCode: try await verify("sms", ["phone": .string(Self.phone), "token": .string(proof)])
            case .supabaseRecovery:
                try await verify("recovery", ["email": .string(Self.email), "token": .string(proof)])
            case .supabaseExchange, .supabaseProvider:
                try await supabase(
                    "/token?grant_type=pkce",
                    ["auth_code": .string(code), "code_verifier": .string(Self.verifier)])
            case .supabaseIDToken:
                try await supabase(
                    "/token?grant_type=id_token", ["provider": "google", "id_token": .string(proof)])
            case .supabaseRefresh:
                try await supabase("/token?grant_type=refresh_token", ["refresh_token": .string(proof)])
            case .supabasePasskey:
                try await supabase("/passkeys/authentication/verify", try JSONObject(parsing: proof.utf8))
            default: throw AuthError(.unsupported)
            }
        guard reply.status == 200, let token = reply["access_token"]?.stringValue else {
            expectTold(reply["message_key"], reply["localized_message"], by: reply)
            let code = reply["error_code"] ?? reply["error"]
            return "\(reply.status) \(code?.stringValue ?? reply.text)"
        }
        let claims = try JSONObject(parsing: ParsedJWS(parsing: token.utf8).payload)
        return "session \(claims["aal"]?.stringValue ?? "")"
    }

    private func supabaseDone(_ path: String, _ body: JSONObject) async throws {
        let reply = try await supabase(path, body)
        try #require(reply.status == 200, "\(reply.text)")
    }

    /// A parameter of the link in the newest mail.
    func linkParameter(_ name: String) async throws -> String {
        let link = try #require(try await accounts.messages(to: Self.email).compactMap(\.link).first)
        let pairs = link.split { "?&#".contains($0) }.map { $0.split(separator: "=", maxSplits: 1) }
        return String(try #require(pairs.first { $0.count == 2 && $0[0] == name }?[1], "\(link)"))
    }
}
