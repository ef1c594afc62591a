// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// The configurations of other providers, of a project or of a tenant.
struct ProviderEndpoints: Sendable {
    /// Of one answer.
    private static let maximum = 100

    let kind: ProviderKind

    private var configurations: any ProviderConfigurations {
        switch kind {
        case .saml: SAMLConfigurations()
        case .openID, .known: IdentityProviderConfigurations(kind: kind)
        }
    }

    /// `POST …/{kind}?oauthIdpConfigId=`
    func create(_ call: DialectCall) async throws -> Response {
        guard let id = call.query[kind.parameter] ?? call.query[Input.snakeCase(kind.parameter)] else {
            throw WireError("INVALID_CONFIG_ID")
        }
        try kind.requireName(id)
        let body = call.body.object
        let made = try await configurations.create(id, call) { _ in try checked(body) }
        return Answer.object(named(id, made, call))
    }

    /// `GET …/{kind}/{configuration}`
    func get(_ call: DialectCall) async throws -> Response {
        let id = try name(call)
        guard let found = try await configurations.get(id, call) else { throw ProviderConfigurationError.notFound }
        return Answer.object(named(id, found, call))
    }

    /// `GET …/{kind}?pageSize=&pageToken=`
    func list(_ call: DialectCall) async throws -> Response {
        let page = try ListPage(call, of: kind.rawValue, most: Self.maximum)
        let (found, next) = page.cut(Array(try await configurations.all(call)), by: \.key)
        var json = JSONObject()
        if !found.isEmpty { json[kind.rawValue] = .array(found.map { .object(named($0.key, $0.value, call)) }) }
        json["nextPageToken"] = next
        return Answer.object(json)
    }

    /// `PATCH …/{kind}/{configuration}?updateMask=`: the members that the mask names; without one, those of the body.
    func update(_ call: DialectCall) async throws -> Response {
        let mask = call.query["updateMask"].flatMap { $0.isEmpty ? nil : $0 }
        let named = mask.map { $0.split(separator: ",").map { Configuration.camelCase(String($0)) } }
        let body = flattened(call.body.object, below: "")
        let id = try name(call)
        let updated = try await configurations.update(id, call) { former in
            func isNamed(_ path: String) -> Bool { named?.contains { path == $0 || path.hasPrefix($0 + ".") } ?? true }
            var config = former
            for path in kind.members where named != nil && isNamed(path) {
                config.place(nil, at: Configuration.components(path)[...])
            }
            for (path, value) in body where isNamed(path) {
                config.place(value, at: Configuration.components(path)[...])
            }
            return try checked(config)
        }
        return Answer.object(self.named(id, updated, call))
    }

    /// `DELETE …/{kind}/{configuration}`
    func delete(_ call: DialectCall) async throws -> Response {
        try await configurations.delete(try name(call), call)
        return Answer.object([:])
    }

    /// - Throws: as ``ProviderKind/require(_:)``; `INVALID_CONFIG` naming a member that is not kept.
    private func checked(_ body: JSONObject) throws -> JSONObject {
        var config = JSONObject()
        for (path, value) in flattened(body, below: "") {
            if kind.members.contains(path) {
                guard !value.isNull else { continue }
                config.place(value, at: Configuration.components(path)[...])
            } else if path != "name", path != "spConfig.spCertificates", !ConfigurationField.isOff(value) {
                throw ConfigurationField.unsupported(path)
            }
        }
        try kind.require(Input(object: config))
        return config
    }

    private func flattened(_ object: JSONObject, below parent: String) -> [(path: String, value: JSONValue)] {
        object.members.flatMap { member -> [(path: String, value: JSONValue)] in
            let path = (parent.isEmpty ? "" : parent + ".") + Configuration.camelCase(member.name)
            guard case .object(let inner) = member.value else { return [(path, member.value)] }
            return flattened(inner, below: path)
        }
    }

    private func named(_ id: String, _ config: JSONObject, _ call: DialectCall) -> JSONObject {
        let directory = call.directory
        let owner = "projects/\(directory.projectID)" + (directory.tenantID.map { "/tenants/" + $0 } ?? "")
        var json: JSONObject = ["name": .string("\(owner)/\(kind.rawValue)/\(id)")]
        for member in config.members { json[member.name] = member.value }
        return json
    }

    private func name(_ call: DialectCall) throws(WireError) -> String {
        guard let name = call.configuration else { throw ProviderConfigurationError.notFound }
        return name
    }
}
