// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// A Cognito user pool as far as signing in and out goes, in this process. Its challenge of SRP is always the same, and
/// it takes every answer: only what the device does is measured.
final class ScriptedPool: HTTPTransport {
    let sessions = CloudSessions(rotates: false)
    private let clock = SystemClock()

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let body = (try? JSONObject(parsing: request.body)) ?? [:]
        let parameters = body["AuthParameters"]?.objectValue ?? [:]
        let operation = request.headers.first { $0.name == "X-Amz-Target" }?.value.split(separator: ".").last
        switch (operation, body["AuthFlow"]?.stringValue) {
        case ("InitiateAuth", "USER_SRP_AUTH"): return .json(Self.challenge)
        case ("InitiateAuth", _): return signIn(parameters["USERNAME"]?.stringValue ?? "")
        case ("RespondToAuthChallenge", _): return signIn("bench")
        case ("GetTokensFromRefreshToken", _):
            guard let (number, session) = sessions.refresh(body["RefreshToken"]?.stringValue ?? "") else {
                return .json(
                    ["__type": "NotAuthorizedException", "message": "Refresh Token has been revoked"], status: 400)
            }
            return result(number, session, isNew: false)
        case ("RevokeToken", _):
            if let number = sessions.number(in: body["Token"]?.stringValue ?? "") { sessions.close(number) }
            return .json([:])
        default: return .json(["__type": "UnknownOperationException", "message": ""], status: 400)
        }
    }

    private func signIn(_ user: String) -> HTTPResponse {
        result(sessions.open(user), CloudSessions.Session(user: user), isNew: true)
    }

    private func result(_ number: Int, _ session: CloudSessions.Session, isNew: Bool) -> HTTPResponse {
        let now = clock.now.seconds
        let claims: JSONObject = [
            "sub": .string(session.user), "email": .string(session.user), "email_verified": true, "aud": "client",
            "iss": "https://pool.example/eu-west-1_Bench", "token_use": "id", "cognito:username": .string(session.user),
            // By the devices' clocks, which go three hours ahead with each flow; this one answers without a date.
            "iat": .integer(now), "exp": .integer(now + 3_650 * 86_400),
        ]
        var tokens: JSONObject = [
            "AccessToken": .string("access.\(number).\(sessions.refreshes)." + ScriptedCloud.padding),
            "IdToken": .string("e30.\(Base64URL.encode(claims.serialized())).c2ln"), "ExpiresIn": 3600,
            "TokenType": "Bearer",
        ]
        if isNew { tokens["RefreshToken"] = .string("refresh.\(number).0") }
        return .json(["AuthenticationResult": .object(tokens), "ChallengeParameters": [:]])
    }

    private static let challenge: JSONObject = [
        "ChallengeName": "PASSWORD_VERIFIER", "Session": .string(ScriptedCloud.padding),
        "ChallengeParameters": [
            "USER_ID_FOR_SRP": "bench", "USERNAME": "bench", "SALT": .string(String(repeating: "a5", count: 16)),
            "SRP_B": .string("7" + String(repeating: "3c", count: 383) + "1"),
            "SECRET_BLOCK": .string(Base64.encode([UInt8](repeating: 7, count: 1_200))),
        ],
    ]
}
