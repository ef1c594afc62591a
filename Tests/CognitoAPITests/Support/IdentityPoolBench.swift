// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import CognitoAPI

/// A bench with an identity pool.
struct IdentityPoolBench {
    static let role = "arn:aws:iam::123456789012:role/users"
    static let guestRole = "arn:aws:iam::123456789012:role/guests"
    static let googleName = "accounts.google.com"

    let cognito: CognitoBench
    let providers = JudgingProviders()
    let credentials = ScriptedCredentials()

    /// - Parameter signIns: how many calls with logins are let in.
    init(signIns: Int = 60, _ change: (inout CognitoDialect.Settings) -> Void = { _ in }) async throws {
        cognito = try await CognitoBench(
            identityProviders: providers, temporaryCredentials: credentials, change,
            directory: { $0.limits.signIn.count = signIns })
    }

    /// The identifier of a new pool that takes Google's tokens and the operator's own users.
    func pool(_ members: JSONObject = [:], roles: Bool = true) async throws -> String {
        let usual: JSONObject = [
            "IdentityPoolName": "pool", "AllowUnauthenticatedIdentities": false,
            "SupportedLoginProviders": ["accounts.google.com": "g-1", "appleid.apple.com": "a-1"],
            "DeveloperProviderName": "login.acme",
        ]
        let id = try await done("CreateIdentityPool", usual.merging(members))["IdentityPoolId"]?.stringValue ?? ""
        if roles {
            _ = try await done(
                "SetIdentityPoolRoles",
                [
                    "IdentityPoolId": .string(id),
                    "Roles": ["authenticated": .string(Self.role), "unauthenticated": .string(Self.guestRole)],
                ])
        }
        return id
    }

    func send(_ operation: String, _ body: JSONObject, signed: Bool = true) async throws -> CognitoBench.Reply {
        try await cognito.send(
            operation, body, signed: signed, target: "AWSCognitoIdentityService." + operation)
    }

    /// A call that must succeed.
    func done(_ operation: String, _ body: JSONObject, signed: Bool = true) async throws -> JSONObject {
        let reply = try await send(operation, body, signed: signed)
        guard reply.status == 200 else {
            throw CognitoBench.Refused(exception: reply.exception ?? "", message: reply.message ?? "\(reply.status)")
        }
        return reply.json
    }

    /// What is said of a call that must be refused.
    func said(_ operation: String, _ body: JSONObject, signed: Bool = true) async throws -> String {
        let reply = try await send(operation, body, signed: signed)
        return reply.status == 400 ? "\(reply.exception ?? ""): \(reply.message ?? "")" : "status \(reply.status)"
    }

    /// `GetId` for these logins.
    func id(_ logins: JSONObject, in pool: String) async throws -> String {
        try await done("GetId", ["IdentityPoolId": .string(pool), "Logins": .object(logins)], signed: false)[
            "IdentityId"]?.stringValue ?? ""
    }

    static func google(_ subject: String, _ claims: JSONObject = [:]) -> JSONObject {
        [googleName: .string(JudgingProviders.token(subject, claims))]
    }

    static func apple(_ subject: String) -> JSONObject {
        [
            "appleid.apple.com": .string(
                JudgingProviders.token(subject, issuer: "https://appleid.apple.com", audience: "a-1"))
        ]
    }
}
