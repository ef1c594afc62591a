// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How an identity pool's settings are kept in one column: those that nothing is found by.
enum IdentityPoolEncoding {
    static func json(_ pool: IdentityPool) -> JSONObject {
        var json: JSONObject = [
            "guests": .bool(pool.allowsGuests),
            "user_sources": .array(
                pool.userSources.map {
                    [
                        "directory": .string($0.directory.rawValue), "client": .string($0.client.rawValue),
                        "checks_session": .bool($0.checksSession),
                    ]
                }),
            "client_ids": texts(pool.clientIDs), "tags": texts(pool.tags),
            "openid_sources": .array(
                pool.openIDSources.map { ["provider": .string($0.provider), "resource": .string($0.resource)] }),
            "role_mappings": .array(pool.roleMappings.map { source, mapping in Self.json(mapping, of: source) }),
            "principal_tags": .array(
                pool.principalTags.map { provider, tags in
                    [
                        "provider": .string(provider.text), "defaults": .bool(tags.usesDefaults),
                        "claims": texts(tags.claims),
                    ]
                }),
        ]
        json["classic"] = pool.allowsClassicFlow.map { .bool($0) }
        json["developer"] = pool.developerProvider.map { .string($0) }
        json["role"] = pool.roles.authenticated.map { .string($0) }
        json["guest_role"] = pool.roles.guest.map { .string($0) }
        return json
    }

    private static func texts(_ map: [String: String]) -> JSONValue {
        var object = JSONObject()
        for (name, text) in map.sorted(by: { $0.key < $1.key }) { object[name] = .string(text) }
        return .object(object)
    }

    private static func json(_ mapping: RoleMapping, of source: LoginSource) -> JSONValue {
        var json: JSONObject = ["provider": .string(source.provider.text)]
        json["client"] = source.client.map { .string($0) }
        json["ambiguity"] = mapping.ambiguity.map { .string($0.rawValue) }
        if case .rules(let rules) = mapping.kind {
            json["rules"] = .array(
                rules.map {
                    [
                        "claim": .string($0.claim), "match": .string($0.match.rawValue), "value": .string($0.value),
                        "role": .string($0.role),
                    ]
                })
        }
        return .object(json)
    }

    // MARK: Reading

    /// - Throws: `StoredRowError` for what is none of it.
    static func read(_ json: JSONObject, into pool: inout IdentityPool, column: Int) throws {
        let stored = Stored(json: json, column: column)
        pool.allowsGuests = try stored.flag("guests")
        pool.allowsClassicFlow = json["classic"]?.boolValue
        pool.developerProvider = json["developer"]?.stringValue
        pool.roles = .init(authenticated: json["role"]?.stringValue, guest: json["guest_role"]?.stringValue)
        pool.clientIDs = try stored.texts("client_ids")
        pool.tags = try stored.texts("tags")
        pool.userSources = try stored.list("user_sources").map {
            .init(
                directory: DirectoryID(try $0.text("directory")), client: ClientID(try $0.text("client")),
                checksSession: try $0.flag("checks_session"))
        }
        pool.openIDSources = try stored.list("openid_sources").map {
            .init(provider: try $0.text("provider"), resource: try $0.text("resource"))
        }
        for mapping in try stored.list("role_mappings") {
            let source = LoginSource(try mapping.provider(), client: mapping.json["client"]?.stringValue)
            pool.roleMappings[source] = try roleMapping(mapping)
        }
        for tags in try stored.list("principal_tags") {
            pool.principalTags[try tags.provider()] = PrincipalTags(
                usesDefaults: try tags.flag("defaults"), claims: try tags.texts("claims"))
        }
    }

    private static func roleMapping(_ stored: Stored) throws -> RoleMapping {
        var mapping = RoleMapping(.token)
        if let text = stored.json["ambiguity"]?.stringValue {
            guard let ambiguity = RoleMapping.Ambiguity(rawValue: text) else { throw stored.damaged }
            mapping.ambiguity = ambiguity
        }
        guard stored.json["rules"] != nil else { return mapping }
        mapping.kind = .rules(
            try stored.list("rules").map { rule in
                guard let match = RoleMapping.Rule.Match(rawValue: try rule.text("match")) else { throw rule.damaged }
                return RoleMapping.Rule(
                    claim: try rule.text("claim"), match: match, value: try rule.text("value"),
                    role: try rule.text("role"))
            })
        return mapping
    }

    /// An object of the column, whose members must be there.
    private struct Stored {
        let json: JSONObject
        let column: Int

        var damaged: StoredRowError { StoredRowError(column: column) }

        func flag(_ name: String) throws -> Bool {
            guard let value = json[name]?.boolValue else { throw damaged }
            return value
        }

        func text(_ name: String) throws -> String {
            guard let value = json[name]?.stringValue else { throw damaged }
            return value
        }

        func texts(_ name: String) throws -> [String: String] {
            guard let members = json[name]?.objectValue?.members else { throw damaged }
            var map: [String: String] = [:]
            for member in members {
                guard let text = member.value.stringValue else { throw damaged }
                map[member.name] = text
            }
            return map
        }

        func list(_ name: String) throws -> [Stored] {
            guard let values = json[name]?.arrayValue else { throw damaged }
            return try values.map {
                guard let object = $0.objectValue else { throw damaged }
                return Stored(json: object, column: column)
            }
        }

        func provider() throws -> LoginProvider {
            guard let provider = LoginProvider(try text("provider")) else { throw damaged }
            return provider
        }
    }
}
