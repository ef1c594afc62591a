// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import TestBenchHTTP
import Testing

extension SignInWorld {
    func firebaseProof(_ path: SignInPath) async throws -> SignInPath.Proof {
        switch path {
        case .firebaseEmailLink:
            let reply = try await firebase(
                "sendOobCode",
                [
                    "requestType": "EMAIL_SIGNIN", "email": .string(Self.email),
                    "continueUrl": .string(Self.site + "/in"), "canHandleCodeInApp": true,
                ])
            try #require(reply.status == 200, "\(reply.text)")
            return try await linkParameter("oobCode")
        case .firebasePhone:
            let reply = try await firebase("sendVerificationCode", ["phoneNumber": .string(Self.phone)])
            let answer: JSONObject = [
                "sessionInfo": try #require(reply["sessionInfo"], "\(reply.text)"),
                "code": .string(try await sentCode(to: Self.phone)),
            ]
            return JSONValue.object(answer).text
        case .firebaseRedirect:
            let asked = try await firebase(
                "createAuthUri", ["providerId": "google.com", "continueUri": .string(Self.redirectURI)])
            let address = try #require(asked["authUri"]?.stringValue, "\(asked.text)")
            let state = try #require(HTTPBench.Reply.answer(in: address)["state"])
            let answer: JSONObject = [
                "requestUri": .string("\(Self.redirectURI)?state=\(state)&code=\(try vouch())"),
                "sessionId": asked["sessionId"] ?? .null, "returnSecureToken": true,
            ]
            return JSONValue.object(answer).text
        case .firebaseRefresh:
            let reply = try await firebasePassword()
            return try #require(reply["refreshToken"]?.stringValue, "\(reply.text)")
        default: throw AuthError(.unsupported)
        }
    }

    func firebase(_ path: SignInPath, _ proof: SignInPath.Proof) async throws -> String {
        let reply =
            switch path {
            case .firebasePassword: try await firebasePassword()
            case .firebaseEmailLink:
                try await firebase("signInWithEmailLink", ["email": .string(Self.email), "oobCode": .string(proof)])
            case .firebasePhone: try await firebase("signInWithPhoneNumber", try JSONObject(parsing: proof.utf8))
            case .firebaseProvider:
                try await firebase(
                    "signInWithIdp",
                    [
                        "requestUri": "http://localhost", "returnSecureToken": true,
                        "postBody": .string("id_token=\(proof)&providerId=google.com"),
                    ])
            case .firebaseRedirect: try await firebase("signInWithIdp", try JSONObject(parsing: proof.utf8))
            case .firebaseCustomToken:
                try await firebase(
                    "signInWithCustomToken",
                    [
                        "token": .string(JSONValue.object(["uid": .string(user.rawValue)]).text),
                        "returnSecureToken": true,
                    ])
            case .firebaseRefresh: try await firebaseRefresh(proof)
            default: throw AuthError(.unsupported)
            }
        if reply["idToken"] != nil || reply["id_token"] != nil { return "session" }
        if reply["mfaPendingCredential"] != nil {
            let kinds = (reply["mfaInfo"]?.arrayValue ?? []).compactMap(\.objectValue)
            return kinds.contains { $0["totpInfo"] != nil } ? "pending totp" : "pending"
        }
        let details = (reply["error"]?.objectValue?["details"]?.arrayValue ?? []).compactMap(\.objectValue)
        expectTold(
            details.first?["metadata"]?.objectValue?["messageKey"], details.last?["message"], by: reply)
        let message = reply["error"]?.objectValue?["message"]?.stringValue ?? reply.text
        return "\(reply.status) \(message.split(separator: " ").first ?? "")"
    }

    private func firebasePassword() async throws -> HTTPBench.Reply {
        try await firebase(
            "signInWithPassword",
            [
                "email": .string(Self.email), "password": .string(AccountBench.password), "returnSecureToken": true,
            ])
    }
}
