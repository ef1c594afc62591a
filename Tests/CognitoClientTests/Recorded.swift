// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport

@testable import CognitoClient

/// Answers as the service gives them, and what a test needs to ask for them.
enum Recorded {
    static let date = Instant(seconds: 1_785_283_200)

    static func answer(_ members: JSONObject, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                HTTPHeader("Content-Type", "application/x-amz-json-1.1"),
                HTTPHeader("Date", "Wed, 29 Jul 2026 00:00:00 GMT"),
            ], body: members.serialized())
    }

    static func refusal(_ type: String, _ message: String = "", status: Int = 400) -> HTTPResponse {
        answer(["__type": .string(type), "message": .string(message)], status: status)
    }

    static func idToken(_ changes: JSONObject = [:]) -> String {
        let claims: JSONObject = [
            "sub": "5b1c", "iss": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI", "aud": "client123",
            "token_use": "id", "exp": 1_785_286_800, "email": "ada@example.org", "email_verified": true, "name": "Ada",
            "picture": "https://p.example/ada.png", "cognito:username": "ada-name", "origin_jti": "o",
        ]
        let header = Base64URL.encode(Array(#"{"kid":"1","alg":"RS256"}"#.utf8))
        return "\(header).\(Base64URL.encode(claims.merging(changes).serialized())).c2ln"
    }

    static func result(_ claims: JSONObject = [:]) -> JSONObject {
        [
            "AuthenticationResult": [
                "AccessToken": "a.b.c", "IdToken": .string(idToken(claims)), "RefreshToken": "refresh-1",
                "ExpiresIn": 3600,
                "TokenType": "Bearer",
            ], "ChallengeParameters": [:],
        ]
    }

    static var configuration: CognitoConfiguration {
        CognitoConfiguration(
            region: "eu-west-1", userPoolID: "eu-west-1_AbCdEfGhI", clientID: "client123", passwordFlow: .password)
    }

    static func tokens(username: String = "ada-name") -> TokenSet {
        TokenSet(
            accessToken: Secret("a.b.c"), refreshToken: Secret("refresh-1"), lifetime: .hours(1),
            attachments: Secret(["username": username]))
    }

    /// Answers each operation by its name, and says which were called.
    static func service(
        _ answer: @escaping @Sendable (String, JSONObject) throws(TransportError) -> HTTPResponse
    ) -> ScriptedTransport {
        ScriptedTransport { request, _ throws(TransportError) in
            let target = request.headers.first { $0.name == "X-Amz-Target" }?.value ?? ""
            let input = (try? JSONObject(parsing: request.body)) ?? [:]
            return try answer(String(target.split(separator: ".").last ?? ""), input)
        }
    }
}

extension ScriptedTransport {
    /// The operations that were called, in their order.
    var operations: [String] {
        requests.map { request in
            let target = request.headers.first { $0.name == "X-Amz-Target" }?.value ?? ""
            return String(target.split(separator: ".").last ?? "")
        }
    }

    /// What was sent, one object a call.
    var inputs: [JSONObject] { requests.map { (try? JSONObject(parsing: $0.body)) ?? [:] } }
}
