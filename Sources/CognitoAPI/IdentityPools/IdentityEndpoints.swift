// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What apps call without a signature: `GetId`, `GetOpenIdToken`, `GetCredentialsForIdentity`, `UnlinkIdentity`.
enum IdentityEndpoints {
    /// What the log of whoever gives access calls the holder of credentials.
    private static let sessionName = "CognitoIdentityCredentials"
    private static let accountID = Member(
        "AccountId", 1...15, Member.Pattern(text: "\\d+") { ("0"..."9").contains($0) })

    static func id(_ call: IdentityPoolCall) async throws -> JSONObject {
        _ = try call.input.text(accountID)
        let pool = try call.pool()
        let shown = try await ShownLogins(call).all(in: pool)
        let resolved = try await call.accounts.resolvePoolIdentity(shown, in: pool, call: call.flow)
        return ["IdentityId": .string(call.dialect.wireID(resolved.identity.id))]
    }

    static func token(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try call.pool()
        guard pool.roleMappings.isEmpty else {
            throw WireError.parameter(
                "Basic (classic) flow is not supported with RoleMappings, please use enhanced flow.")
        }
        // Only a pool that says so: one that says nothing has it, as at the service.
        guard pool.allowsClassicFlow ?? true else {
            throw WireError.parameter("Basic (classic) flow is not enabled, please use enhanced flow.")
        }
        let resolved = try await resolve(call, pool)
        let token = try await IdentityToken(dialect: call.dialect, directory: call.flow.directory).make(
            for: resolved, at: call.now)
        return [
            "IdentityId": .string(call.dialect.wireID(resolved.identity.id)), "Token": .string(token.reveal()),
        ]
    }

    static func credentials(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try call.pool()
        let wanted = try call.input.text(Member("CustomRoleArn", 20...2048))
        let resolved = try await resolve(call, pool)
        let role = try resolved.role(wanted: wanted)
        let token = try await IdentityToken(dialect: call.dialect, directory: call.flow.directory).make(
            for: resolved, at: call.now)
        let credentials = try await call.accounts.issueTemporaryCredentials(
            for: role, token: token, sessionName: sessionName, call: call.flow)
        return [
            "IdentityId": .string(call.dialect.wireID(resolved.identity.id)),
            "Credentials": [
                "AccessKeyId": .string(credentials.keyID), "SecretKey": .string(credentials.secret.reveal()),
                "SessionToken": .string(credentials.sessionToken.reveal()),
                "Expiration": credentials.expiresAt.wireDate,
            ],
        ]
    }

    static func unlink(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try call.pool()
        let logins = try ShownLogins(call)
        guard call.input.object["Logins"] != nil else { throw Input.missing("Logins") }
        let removed = try WireShape.list(.text(1...128), 1...20).read("LoginsToRemove", of: call.input)?.arrayValue
        guard let removed else { throw Input.missing("LoginsToRemove") }
        let providers = try removed.compactMap(\.stringValue).map { name in
            guard let provider = call.names.provider(name, in: pool) else { throw IdentityPoolRefusal.loginNotLinked }
            // The operator's programs have an operation of their own.
            if case .developer = provider { throw WireError.parameter("Please provide a valid public provider.") }
            return provider
        }
        try await call.accounts.unlinkPoolLogins(
            providers, from: try call.identity(), shown: try await logins.all(in: pool), in: pool, call: call.flow)
        return [:]
    }

    /// The identity that the call names, by its logins, or by this server's own token.
    private static func resolve(_ call: IdentityPoolCall, _ pool: IdentityPool) async throws -> ResolvedIdentity {
        let (named, logins) = (try call.identity(), try ShownLogins(call))
        let flow = call.accounts.resolvePoolIdentity
        guard let own = try logins.ownToken() else {
            return try await flow(try await logins.all(in: pool), named: named, in: pool, call: call.flow)
        }
        let id = try await IdentityToken(dialect: call.dialect, directory: call.flow.directory).identity(
            of: own, in: pool, at: call.now)
        guard id == named else { throw IdentityPoolRefusal.resolution(.forbidden) }
        return try await flow.vouched(id, in: pool)
    }
}
