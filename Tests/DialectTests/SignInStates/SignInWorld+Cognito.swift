// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import TestBench
import TestBenchHTTP
import Testing

extension SignInWorld {
    func cognitoProof(_ path: SignInPath) async throws -> SignInPath.Proof {
        switch path {
        case .cognitoMailedCode, .cognitoTextedCode:
            let way = path == .cognitoMailedCode ? "EMAIL_OTP" : "SMS_OTP"
            let reply = try await initiate("USER_AUTH", ["PREFERRED_CHALLENGE": .string(way)])
            try #require(reply["ChallengeName"] == .string(way), "\(reply.text)")
            let code = try await sentCode(to: path == .cognitoMailedCode ? Self.email : Self.phone)
            return answer(way, reply, [.init(way + "_CODE"): .string(code)])
        case .cognitoCustom:
            return answer("CUSTOM_CHALLENGE", try await initiate("CUSTOM_AUTH", [:]), ["ANSWER": .string(Self.word)])
        case .cognitoPasskey, .cognitoPresence:
            try await addPasskey()
            let reply = try await initiate("USER_AUTH", ["PREFERRED_CHALLENGE": "WEB_AUTHN"])
            let asked = reply["ChallengeParameters"]?.objectValue?["CREDENTIAL_REQUEST_OPTIONS"]?.stringValue
            let options = try JSONObject(parsing: try #require(asked, "\(reply.text)").utf8)
            let credential = try passkeyAnswer(to: options, verifiesUser: path == .cognitoPasskey)
            return answer("WEB_AUTHN", reply, ["CREDENTIAL": .string(JSONValue.object(credential).text)])
        case .cognitoRefresh, .cognitoRenewal:
            let reply = try await initiate("USER_PASSWORD_AUTH", ["PASSWORD": .string(AccountBench.password)])
            let result = reply["AuthenticationResult"]?.objectValue
            return try #require(result?["RefreshToken"]?.stringValue, "\(reply.text)")
        default: throw AuthError(.unsupported)
        }
    }

    func cognito(_ path: SignInPath, _ proof: SignInPath.Proof) async throws -> String {
        let password: JSONObject = ["PASSWORD": .string(AccountBench.password)]
        let reply =
            switch path {
            case .cognitoPassword: try await initiate("USER_PASSWORD_AUTH", password)
            case .cognitoAdministrator:
                try await initiate("ADMIN_USER_PASSWORD_AUTH", password, byAdministrator: true)
            case .cognitoAdministratorSRP:
                try await cognito(
                    "AdminRespondToAuthChallenge",
                    try JSONObject(parsing: proof.utf8).merging(["UserPoolId": .string(poolID)]))
            case .cognitoChosenPassword:
                try await initiate("USER_AUTH", password.merging(["PREFERRED_CHALLENGE": "PASSWORD"]))
            case .cognitoMailedCode, .cognitoTextedCode, .cognitoCustom, .cognitoPasskey, .cognitoPresence, .cognitoSRP,
                .cognitoChosenSRP:
                try await cognito("RespondToAuthChallenge", try JSONObject(parsing: proof.utf8))
            case .cognitoRefresh: try await initiate("REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": .string(proof)])
            case .cognitoRenewal:
                try await cognito(
                    "GetTokensFromRefreshToken", ["ClientId": .string(client), "RefreshToken": .string(proof)])
            case .cognitoDevice, .cognitoDeviceAnswer: try await prove(try JSONObject(parsing: proof.utf8))
            default: throw AuthError(.unsupported)
            }
        if reply["AuthenticationResult"]?.objectValue?["AccessToken"] != nil { return "session" }
        if let challenge = reply["ChallengeName"]?.stringValue { return challenge }
        expectTold(reply["messageKey"], reply["localizedMessage"], by: reply)
        let text = reply["message"]?.stringValue ?? ""
        // What is sealed in a page's address is another one each time.
        let shown = text.firstRange(of: "?agreement=").map { String(text[..<$0.lowerBound]) } ?? text
        return "\(reply["__type"]?.stringValue ?? reply.text): \(shown)"
    }

    /// What a client sends in answer to a challenge.
    func answer(_ challenge: String, _ asked: HTTPBench.Reply, _ responses: JSONObject) -> SignInPath.Proof {
        let name: JSONObject = ["USERNAME": .string(Self.email)]
        let body: JSONObject = [
            "ChallengeName": .string(challenge), "ClientId": .string(client), "Session": asked["Session"] ?? .null,
            "ChallengeResponses": .object(name.merging(responses)),
        ]
        return JSONValue.object(body).text
    }

    func initiate(
        _ flow: String, _ parameters: JSONObject, byAdministrator: Bool = false
    ) async throws -> HTTPBench.Reply {
        var parameters = parameters
        if flow != "REFRESH_TOKEN_AUTH" { parameters["USERNAME"] = .string(Self.email) }
        var body: JSONObject = [
            "AuthFlow": .string(flow), "ClientId": .string(client), "AuthParameters": .object(parameters),
        ]
        if byAdministrator { body["UserPoolId"] = .string(poolID) }
        return try await cognito(byAdministrator ? "AdminInitiateAuth" : "InitiateAuth", body)
    }
}
