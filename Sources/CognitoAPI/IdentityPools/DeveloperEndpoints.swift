// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Users whom the operator's own programs vouch for: `GetOpenIdTokenForDeveloperIdentity`, `LookupDeveloperIdentity`,
/// `MergeDeveloperIdentities`, `UnlinkDeveloperIdentity`.
enum DeveloperEndpoints {
    private static let subject = Member.developerUser("DeveloperUserIdentifier")

    static func token(_ call: IdentityPoolCall) async throws -> JSONObject {
        let (pool, logins) = (try call.pool(), try ShownLogins(call))
        guard call.input.object["Logins"] != nil else { throw Input.missing("Logins") }
        let named = try call.input.text(.identityID).map { try call.dialect.identityID($0) }
        let seconds = try call.input.integer("TokenDuration", in: 1...86_400)
        let tags = try TagEndpoints.principalTags(of: call.input) ?? [:]
        let shown = try await logins.all(in: pool, developer: true)
        guard shown.contains(where: { if case .developer = $0 { true } else { false } }) else {
            throw IdentityPoolRefusal.notTheDeveloperProvider
        }
        let resolved = try await call.accounts.resolvePoolIdentity(
            shown, named: named, in: pool, isTrusted: true, call: call.flow)
        let token = try await IdentityToken(dialect: call.dialect, directory: call.flow.directory).make(
            for: resolved, lifetime: seconds.map { .seconds($0) } ?? IdentityToken.developerLifetime, tags: tags,
            at: call.now)
        return [
            "IdentityId": .string(call.dialect.wireID(resolved.identity.id)), "Token": .string(token.reveal()),
        ]
    }

    static func lookUp(_ call: IdentityPoolCall) async throws -> JSONObject {
        let named = try call.input.text(.identityID).map { try call.dialect.identityID($0) }
        let subject = try call.input.text(subject)
        let page = try Page(
            call.input,
            of: ["names of a developer's user", try call.pool().id.rawValue, named?.rawValue ?? "", subject ?? ""],
            limit: "MaxResults", token: .identityToken, least: 1)
        guard named != nil || subject != nil else {
            throw WireError.parameter("Please provide IdentityId or DeveloperUserIdentifier.")
        }
        let found = try await call.accounts.developerIdentities.names(
            of: named, subject: subject, in: try call.pool(), call: call.flow)
        let (names, next) = page.cut(found.names) { $0 }
        var json: JSONObject = [
            "IdentityId": .string(call.dialect.wireID(found.id)),
            "DeveloperUserIdentifierList": .array(names.map { .string($0) }),
        ]
        json["NextToken"] = next
        return json
    }

    static func merge(_ call: IdentityPoolCall) async throws -> JSONObject {
        let id = try await call.accounts.developerIdentities.merge(
            try call.input.required(.developerUser("SourceUserIdentifier")),
            into: try call.input.required(.developerUser("DestinationUserIdentifier")),
            of: try call.input.required(.developerName), in: try call.pool(), call: call.flow)
        return ["IdentityId": .string(call.dialect.wireID(id))]
    }

    static func unlink(_ call: IdentityPoolCall) async throws -> JSONObject {
        let id = try call.identity()
        try await call.accounts.developerIdentities.unlink(
            try call.input.required(subject), of: try call.input.required(.developerName), from: id,
            in: try call.pool(), call: call.flow)
        return [:]
    }
}
