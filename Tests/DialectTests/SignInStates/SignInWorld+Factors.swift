// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import Factors
import TestBench
import TestBenchHTTP
import Testing

// Sign-ins that wait for a code of the user's authenticator app, in the dialects that programs speak.
extension SignInWorld {
    static let appSecret = Secret([UInt8](repeating: 7, count: 20))

    enum Asking: String, CaseIterable, Sendable { case supabase, firebase, cognito }

    var appCode: String { TOTP().code(at: TOTP().step(at: now), of: Self.appSecret) }

    /// Signs in as far as to where a code is asked for.
    ///
    /// - Returns: what makes the request that shows it, and answers with `in` or with the refusal.
    func asked(_ dialect: Asking) async throws -> @Sendable (String) async throws -> String {
        switch dialect {
        case .supabase: try await askedBySupabase()
        case .firebase: try await askedByFirebase()
        case .cognito: try await askedByCognito()
        }
    }

    private func askedBySupabase() async throws -> @Sendable (String) async throws -> String {
        let begun = try await supabase(
            "/token?grant_type=password", ["email": .string(Self.email), "password": .string(AccountBench.password)])
        let token = try #require(begun["access_token"]?.stringValue, "\(begun.text)")
        let factors = begun["user"]?.objectValue?["factors"]?.arrayValue ?? []
        let factor = try #require(factors.first?.objectValue?["id"]?.stringValue, "\(begun.text)")
        let challenge = try await supabase("/factors/\(factor)/challenge", [:], token: token)
        let id = try #require(challenge["id"], "\(challenge.text)")
        return { code in
            let reply = try await self.supabase(
                "/factors/\(factor)/verify", ["challenge_id": id, "code": .string(code)], token: token)
            return reply["access_token"] == nil ? "\(reply.status) \(reply["error_code"]?.stringValue ?? "")" : "in"
        }
    }

    private func askedByFirebase() async throws -> @Sendable (String) async throws -> String {
        let begun = try await firebase(
            "signInWithPassword",
            ["email": .string(Self.email), "password": .string(AccountBench.password), "returnSecureToken": true])
        let pending = try #require(begun["mfaPendingCredential"], "\(begun.text)")
        let factor = try #require(begun["mfaInfo"]?.arrayValue?.first?.objectValue?["mfaEnrollmentId"])
        return { code in
            let reply = try await self.firebaseFactor(
                "mfaSignIn:finalize",
                [
                    "mfaPendingCredential": pending, "mfaEnrollmentId": factor,
                    "totpVerificationInfo": ["verificationCode": .string(code)],
                ])
            let message = reply["error"]?.objectValue?["message"]?.stringValue
            return reply["idToken"] == nil ? "\(reply.status) \(message ?? "")" : "in"
        }
    }

    private func askedByCognito() async throws -> @Sendable (String) async throws -> String {
        let begun = try await cognito(
            "InitiateAuth",
            [
                "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(client),
                "AuthParameters": [
                    "USERNAME": .string(Self.email), "PASSWORD": .string(AccountBench.password),
                ],
            ])
        let session = try #require(begun["Session"], "\(begun.text)")
        return { [client] code in
            let reply = try await self.cognito(
                "RespondToAuthChallenge",
                [
                    "ChallengeName": "SOFTWARE_TOKEN_MFA", "ClientId": .string(client), "Session": session,
                    "ChallengeResponses": [
                        "USERNAME": .string(Self.email), "SOFTWARE_TOKEN_MFA_CODE": .string(code),
                    ],
                ])
            let isIn = reply["AuthenticationResult"] != nil
            return isIn ? "in" : "\(reply.status) \(reply["__type"]?.stringValue ?? "")"
        }
    }
}
