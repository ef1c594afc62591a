// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Factors
import Testing

@testable import CognitoAPI

/// A pool that has second factors, with a confirmed user `alice` whose address and number are proved.
struct FactorWorld {
    static let phone = "+4915112345678"
    static let everyKind: JSONObject = [
        "SoftwareTokenMfaConfiguration": ["Enabled": true], "SmsMfaConfiguration": [:], "EmailMfaConfiguration": [:],
    ]
    static let apps: JSONObject = ["SoftwareTokenMfaConfiguration": ["Enabled": true]]

    let bench: CognitoBench
    let client: SignInClient

    init(_ mode: String = "OPTIONAL", _ kinds: JSONObject = Self.everyKind, client: JSONObject = [:]) async throws {
        (bench, self.client) = try await SignInPasswordTests.world(client)
        let members: JSONObject = ["UserPoolId": .string(self.client.pool), "MfaConfiguration": .string(mode)]
        _ = try await bench.done("SetUserPoolMfaConfig", members.merging(mode == "OFF" ? [:] : kinds))
    }

    func provePhone() async throws {
        _ = try await bench.done(
            "AdminUpdateUserAttributes",
            named([
                "UserAttributes": [
                    ["Name": "phone_number", "Value": .string(Self.phone)],
                    ["Name": "phone_number_verified", "Value": "true"],
                ]
            ]))
    }

    /// A user with a password whose address nobody has proved.
    func addUnproved(_ name: String) async throws {
        let members: JSONObject = ["UserPoolId": .string(client.pool), "Username": .string(name)]
        _ = try await bench.done(
            "AdminCreateUser",
            members.merging([
                "MessageAction": "SUPPRESS",
                "UserAttributes": [["Name": "email", "Value": .string(name + "@example.com")]],
            ]))
        _ = try await bench.done(
            "AdminSetUserPassword",
            members.merging(["Password": .string(CognitoBench.password), "Permanent": true]))
    }

    func named(_ members: JSONObject = [:]) -> JSONObject {
        members.merging(["UserPoolId": .string(client.pool), "Username": "alice"])
    }

    // MARK: Authenticator apps

    /// Shows the codes of a secret.
    struct App {
        var secret: Secret<[UInt8]>

        init(_ code: String?) throws {
            secret = Secret(try #require(code.flatMap(Base32.decode)))
        }

        func code(at now: Instant) -> String { TOTP().code(at: TOTP().step(at: now), of: secret) }
        /// Six digits that it does not show now, nor a step earlier or later.
        func wrong(at now: Instant) -> String {
            let near = (-2...2).map { TOTP().code(at: TOTP().step(at: now) + $0, of: secret) }
            return ["000000", "111111", "222222", "333333", "444444", "555555"].first { !near.contains($0) } ?? ""
        }
    }

    /// An app that `alice` sets up in a session, and her access token.
    func setUpApp(named name: String? = nil, token: String? = nil) async throws -> (app: App, token: String) {
        var access = token
        if access == nil { access = try await password().result("AccessToken") }
        let token = try #require(access)
        let holder: JSONObject = ["AccessToken": .string(token)]
        let secret = try await bench.done("AssociateSoftwareToken", holder)
        let app = try App(secret["SecretCode"]?.stringValue)
        var code: JSONObject = ["UserCode": .string(app.code(at: bench.now))]
        code["FriendlyDeviceName"] = name.map { .string($0) }
        #expect(try await bench.done("VerifySoftwareToken", holder.merging(code)) == ["Status": "SUCCESS"])
        // Its code is spent.
        bench.advance(by: .seconds(30))
        return (app, token)
    }

    // MARK: Signing in

    func password() async throws -> CognitoBench.Reply { try await client.password("alice", CognitoBench.password) }

    func respond(
        _ challenge: String, _ responses: JSONObject, _ asked: CognitoBench.Reply
    ) async throws -> CognitoBench.Reply {
        let name: JSONObject = ["USERNAME": "alice"]
        return try await client.respond(
            challenge, name.merging(responses).merging(client.hash("alice")), session: asked.session)
    }

    /// A session of `alice` in which her app was shown.
    func signedIn(_ app: App) async throws -> String {
        let reply = try await respond(
            "SOFTWARE_TOKEN_MFA", ["SOFTWARE_TOKEN_MFA_CODE": .string(app.code(at: bench.now))], try await password())
        bench.advance(by: .seconds(30))
        return try #require(reply.result("AccessToken"), "\(reply.refusal)")
    }

    func sentCode(to recipient: String) async throws -> String {
        try await bench.code(to: recipient, in: client.pool, kind: "factor_code")
    }
}

extension CognitoBench.Reply {
    var challenge: String? { json["ChallengeName"]?.stringValue }
    var session: String? { json["Session"]?.stringValue }
    var parameters: JSONObject { json["ChallengeParameters"]?.objectValue ?? [:] }
}
