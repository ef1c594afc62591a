// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// The configurations of other providers, of a project or of a tenant. They are kept, and nobody signs in by them yet.
struct ProviderEndpoints: Sendable {
    private static let place = "firebase"
    private static let secret = "clientSecret"
    /// In all, of one kind.
    private static let maximum = 100

    let kind: ProviderKind

    /// `POST …/{kind}?oauthIdpConfigId=`
    func create(_ call: DialectCall) async throws -> Response {
        guard let id = call.query[kind.parameter] ?? call.query[Input.snakeCase(kind.parameter)] else {
            throw WireError("INVALID_CONFIG_ID")
        }
        try kind.requireName(id)
        return try await change(id, call) { config in
            guard config == nil else { throw WireError("CONFIGURATION_EXISTS") }
            return call.body.object
        }
    }

    /// `GET …/{kind}/{configuration}`
    func get(_ call: DialectCall) async throws -> Response {
        let id = try name(call)
        guard let config = stored(call.flow.settings)[id]?.objectValue else { throw Self.notFound }
        return Answer.object(encode(id, config, call))
    }

    /// `GET …/{kind}?pageSize=&pageToken=`
    func list(_ call: DialectCall) async throws -> Response {
        let size = min(max(1, call.query["pageSize"].flatMap { Int($0) } ?? 20), Self.maximum)
        let after = call.query["pageToken"] ?? ""
        let rest = stored(call.flow.settings).members.filter { $0.name > after }.sorted { $0.name < $1.name }
        let page = rest.prefix(size)
        var json = JSONObject()
        if !page.isEmpty {
            json[kind.rawValue] = .array(
                page.map { .object(encode($0.name, $0.value.objectValue ?? [:], call)) })
        }
        if page.count < rest.count, let last = page.last { json["nextPageToken"] = .string(last.name) }
        return Answer.object(json)
    }

    /// `PATCH …/{kind}/{configuration}?updateMask=`: the members that the mask names; without one, those of the body.
    func update(_ call: DialectCall) async throws -> Response {
        let mask = call.query["updateMask"].flatMap { $0.isEmpty ? nil : $0 }
        return try await change(try name(call), call) { config in
            guard var config else { throw Self.notFound }
            let body = flattened(call.body.object, below: "")
            let named = mask.map { $0.split(separator: ",").map { Configuration.camelCase(String($0)) } }
            func isNamed(_ path: String) -> Bool { named?.contains { path == $0 || path.hasPrefix($0 + ".") } ?? true }
            for path in kind.members where named != nil && isNamed(path) {
                config.place(nil, at: Configuration.components(path)[...])
            }
            for (path, value) in body where isNamed(path) {
                config.place(value, at: Configuration.components(path)[...])
            }
            return config
        }
    }

    /// `DELETE …/{kind}/{configuration}`
    func delete(_ call: DialectCall) async throws -> Response {
        _ = try await change(try name(call), call) { config in
            guard config != nil else { throw Self.notFound }
            return nil
        }
        return Answer.object([:])
    }

    // MARK: What is kept

    private func stored(_ settings: DirectorySettings) -> JSONObject {
        settings.attributes[Self.place]?.objectValue?[kind.rawValue]?.objectValue ?? [:]
    }

    /// Changes what is kept as it stands: of two changes at once neither undoes the other.
    ///
    /// - Parameter body: what becomes of the configuration there is, with its secret open; `nil` for none.
    private func change(
        _ id: String, _ call: DialectCall, _ body: @escaping @Sendable (JSONObject?) throws -> JSONObject?
    ) async throws -> Response {
        let updated = try await call.accounts.directoryAdministration.update(call.directory.id, at: call.now) {
            var all = stored($0)
            let changed = try body(all[id]?.objectValue.map { opened($0, call) })
            if let changed {
                let config = try checked(changed)
                guard all[id] != nil || all.members.count < Self.maximum else {
                    throw WireError("INVALID_CONFIG", "\(Self.maximum) configurations are the most.")
                }
                all[id] = .object(try sealed(config, call))
            } else {
                all[id] = nil
            }
            var place = $0.attributes[Self.place]?.objectValue ?? [:]
            place[kind.rawValue] = all.isEmpty ? nil : .object(all)
            $0.attributes[Self.place] = place.isEmpty ? nil : .object(place)
        }
        call.dialect.directories.invalidate()
        return Answer.object(stored(updated.settings)[id]?.objectValue.map { encode(id, $0, call) } ?? [:])
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

    private func sealed(_ config: JSONObject, _ call: DialectCall) throws -> JSONObject {
        var config = config
        if let secret = try Input(object: config).secret(Self.secret) {
            config[Self.secret] = .string(try call.accounts.attributeSeal.seal(secret, in: call.directory))
        }
        return config
    }

    private func opened(_ config: JSONObject, _ call: DialectCall) -> JSONObject {
        var config = config
        let secret = config[Self.secret]?.stringValue.flatMap {
            call.accounts.attributeSeal.open($0, in: call.directory)
        }
        config[Self.secret] = secret.map { .string($0.reveal()) }
        return config
    }

    private func encode(_ id: String, _ config: JSONObject, _ call: DialectCall) -> JSONObject {
        let directory = call.directory
        let owner = "projects/\(directory.projectID)" + (directory.tenantID.map { "/tenants/" + $0 } ?? "")
        var json: JSONObject = ["name": .string("\(owner)/\(kind.rawValue)/\(id)")]
        for member in opened(config, call).members { json[member.name] = member.value }
        return json
    }

    private func name(_ call: DialectCall) throws(WireError) -> String {
        guard let name = call.configuration else { throw Self.notFound }
        return name
    }

    private static let notFound = WireError(
        .notFound, "CONFIGURATION_NOT_FOUND", reason: "notFound", statusName: "NOT_FOUND")
}
