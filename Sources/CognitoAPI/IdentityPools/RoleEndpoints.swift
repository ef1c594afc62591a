// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `SetIdentityPoolRoles`, `GetIdentityPoolRoles`.
enum RoleEndpoints {
    private static let arn = WireShape.text(20...2048)
    private static let kinds = Member.Pattern(
        text: "(un)?authenticated", accepts: { _ in true },
        acceptsWhole: { ["authenticated", "unauthenticated"].contains($0) })
    private static let rolesShape = WireShape.map(keys: Member("Roles", 1...128, kinds), arn, 0...2)
    private static let matches: KeyValuePairs<String, RoleMapping.Rule.Match> = [
        "Equals": .equals, "Contains": .contains, "StartsWith": .startsWith, "NotEqual": .notEqual,
    ]
    private static let ambiguities: KeyValuePairs<String, RoleMapping.Ambiguity> = [
        "AuthenticatedRole": .authenticatedRole, "Deny": .deny,
    ]
    private static let ruleShape = WireShape.structure(
        [
            "Claim": .text(1...64, .visible), "MatchType": .choice(matches.map(\.key)), "Value": .text(1...128),
            "RoleARN": arn,
        ], required: ["Claim", "MatchType", "Value", "RoleARN"])
    private static let mappingsShape = WireShape.map(
        keys: Member("RoleMappings", 1...128),
        .structure(
            [
                "Type": .choice(["Token", "Rules"]), "AmbiguousRoleResolution": .choice(ambiguities.map(\.key)),
                "RulesConfiguration": .structure(["Rules": .list(ruleShape, 1...400)], required: ["Rules"]),
            ], required: ["Type"]), 0...10)

    /// Both are set as they are given: a mapping that is not there any more is none.
    static func set(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try call.pool()
        guard let given = try rolesShape.read("Roles", of: call.input)?.objectValue else {
            throw Input.missing("Roles")
        }
        let roles = IdentityPool.Roles(
            authenticated: given["authenticated"]?.stringValue, guest: given["unauthenticated"]?.stringValue)
        var mappings: [LoginSource: RoleMapping] = [:]
        for member in try mappingsShape.read("RoleMappings", of: call.input)?.objectValue?.members ?? [] {
            guard let source = source(member.name, pool, call.names) else {
                throw WireError.parameter("\(Input.excerpt(member.name)) is not a provider of this identity pool.")
            }
            mappings[source] = try mapping(member.value.objectValue ?? [:])
        }
        _ = try await call.accounts.identityPoolAdministration.update(pool.id, call: call.flow) { [mappings] in
            $0.roles = roles
            $0.roleMappings = mappings
        }
        return [:]
    }

    static func get(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try call.pool()
        var json: JSONObject = ["IdentityPoolId": .string(call.dialect.wireID(pool.id))]
        var roles = JSONObject()
        roles["authenticated"] = pool.roles.authenticated.map { .string($0) }
        roles["unauthenticated"] = pool.roles.guest.map { .string($0) }
        json["Roles"] = .object(roles)
        let shown = pool.roleMappings.map { (name: call.names.shown($0.key, in: pool), mapping: $0.value) }
        var mappings = JSONObject()
        for entry in shown.sorted(by: { $0.name < $1.name }) { mappings[entry.name] = .object(encode(entry.mapping)) }
        if !mappings.isEmpty { json["RoleMappings"] = .object(mappings) }
        return json
    }

    /// A provider of the pool's, of a user pool with its client.
    private static func source(_ name: String, _ pool: IdentityPool, _ names: LoginNames) -> LoginSource? {
        if let colon = name.lastIndex(of: ":"), let directory = names.directory(ofUserPool: String(name[..<colon])) {
            return LoginSource(.users(directory), client: String(name[name.index(after: colon)...]))
        }
        switch names.provider(name, in: pool) {
        case .upstream(let own)?: return LoginSource(.upstream(own))
        // A mapping by claims: the operator's programs say none.
        case .users?, .developer?, nil: return nil
        }
    }

    private static func mapping(_ json: JSONObject) throws(WireError) -> RoleMapping {
        let text = json["AmbiguousRoleResolution"]?.stringValue
        guard let ambiguity = ambiguities.first(where: { $0.key == text })?.value else {
            throw .parameter("AmbiguousRoleResolution is required with Type Token or Rules.")
        }
        let rules = json["RulesConfiguration"]?.objectValue?["Rules"]?.arrayValue
        guard json["Type"]?.stringValue == "Rules" else {
            guard rules == nil else { throw .parameter("RulesConfiguration is for Type Rules.") }
            return RoleMapping(.token, ambiguity: ambiguity)
        }
        guard let rules else { throw .parameter("RulesConfiguration is required with Type Rules.") }
        return RoleMapping(.rules(rules.compactMap(\.objectValue).compactMap(rule)), ambiguity: ambiguity)
    }

    private static func rule(_ json: JSONObject) -> RoleMapping.Rule? {
        let text = json["MatchType"]?.stringValue
        guard let claim = json["Claim"]?.stringValue, let value = json["Value"]?.stringValue,
            let role = json["RoleARN"]?.stringValue, let match = matches.first(where: { $0.key == text })?.value
        else { return nil }
        return RoleMapping.Rule(claim: claim, match: match, value: value, role: role)
    }

    private static func encode(_ mapping: RoleMapping) -> JSONObject {
        var json = JSONObject()
        json["AmbiguousRoleResolution"] = ambiguities.first { $0.value == mapping.ambiguity }.map { .string($0.key) }
        switch mapping.kind {
        case .token: json["Type"] = "Token"
        case .rules(let rules):
            json["Type"] = "Rules"
            let list: [JSONValue] = rules.map { rule in
                [
                    "Claim": .string(rule.claim),
                    "MatchType": .string(matches.first { $0.value == rule.match }?.key ?? ""),
                    "Value": .string(rule.value), "RoleARN": .string(rule.role),
                ]
            }
            json["RulesConfiguration"] = ["Rules": .array(list)]
        }
        return json
    }
}
