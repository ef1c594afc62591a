// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateResourceServer`, `DescribeResourceServer`, `UpdateResourceServer`, `DeleteResourceServer`,
/// `ListResourceServers`.
enum ResourceServerEndpoints {
    private static let longestPage: Int64 = 50

    static func create(_ call: DialectCall) async throws -> JSONObject {
        let identifier = try call.input.required(.resourceServer)
        let (name, scopes) = try members(call)
        do {
            let server = try await call.accounts.resourceServerAdministration.create(
                identifier: identifier, name: name, scopes: scopes, call: call.flow)
            return ["ResourceServer": .object(encode(server, call))]
        } catch let error as AuthError where error.code == .conflict {
            guard error.field != "count" else {
                throw WireError("LimitExceededException", "You have exceeded the limit of resource servers.")
            }
            throw WireError.parameter("\(identifier) already exists in user pool \(call.poolID).")
        }
    }

    static func describe(_ call: DialectCall) async throws -> JSONObject {
        let server = try await named(call) { try await $0.get($1, call: call.flow) }
        return ["ResourceServer": .object(encode(server, call))]
    }

    /// Scopes that are not given are none: the model's default.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        _ = try call.input.required(.resourceServer)
        let (name, scopes) = try members(call)
        let server = try await named(call) {
            try await $0.update($1, name: name, scopes: scopes, call: call.flow)
        }
        call.dialect.clients.invalidate()
        return ["ResourceServer": .object(encode(server, call))]
    }

    static func delete(_ call: DialectCall) async throws -> JSONObject {
        try await named(call) { try await $0.delete($1, call: call.flow) }
        call.dialect.clients.invalidate()
        return [:]
    }

    static func list(_ call: DialectCall) async throws -> JSONObject {
        let page = try Page(
            call.input, of: ["resource servers", call.directory.id.rawValue], limit: "MaxResults", token: .nextToken,
            least: 1, most: longestPage)
        let (servers, next) = page.cut(
            try await call.accounts.resourceServerAdministration.list(call: call.flow), by: \.identifier)
        var json: JSONObject = ["ResourceServers": .array(servers.map { .object(encode($0, call)) })]
        json["NextToken"] = next
        return json
    }

    // MARK: Shared

    private static let scopeList = WireShape.list(
        .structure(
            ["ScopeName": .text(1...256, .scopeName), "ScopeDescription": .text(1...256)],
            required: ["ScopeName", "ScopeDescription"]), 0...100)

    private static func members(_ call: DialectCall) throws -> (name: String, scopes: [ResourceServer.Scope]) {
        let name = try call.input.required(Member("Name", 1...256, .title))
        let list = try scopeList.read("Scopes", of: call.input)?.arrayValue ?? []
        let scopes = list.compactMap(\.objectValue).map { scope in
            ResourceServer.Scope(
                name: scope["ScopeName"]?.stringValue ?? "", description: scope["ScopeDescription"]?.stringValue ?? "")
        }
        var seen: Set<String> = []
        if let twice = scopes.first(where: { !seen.insert($0.name).inserted }) {
            throw WireError.parameter("Duplicate scope name \(Input.excerpt(twice.name)).")
        }
        return (name, scopes)
    }

    /// Says a missing resource server in the service's words.
    private static func named<Value: Sendable>(
        _ call: DialectCall, _ body: (ResourceServerAdministration, String) async throws -> Value
    ) async throws -> Value {
        let identifier = try call.input.required(.resourceServer)
        do {
            return try await body(call.accounts.resourceServerAdministration, identifier)
        } catch let error as AuthError where error.code == .notFound {
            throw WireError.notFound("Resource server \(identifier) does not exist.")
        }
    }

    private static func encode(_ server: ResourceServer, _ call: DialectCall) -> JSONObject {
        [
            "UserPoolId": .string(call.poolID), "Identifier": .string(server.identifier),
            "Name": .string(server.name),
            "Scopes": .array(
                server.scopes.map {
                    ["ScopeName": .string($0.name), "ScopeDescription": .string($0.description)]
                }),
        ]
    }
}

extension Member {
    fileprivate static let resourceServer = Member("Identifier", 1...256, .scope)
}

extension Member.Pattern {
    /// Of a scope (RFC 6749, section 3.3), and of what one begins with.
    static let scope = Self(text: "[\\x21\\x23-\\x5B\\x5D-\\x7E]+", accepts: isOfScope)
    /// Of a scope's last part.
    static let scopeName = Self(text: "[\\x21\\x23-\\x2E\\x30-\\x5B\\x5D-\\x7E]+") { isOfScope($0) && $0 != "/" }

    private static func isOfScope(_ scalar: Unicode.Scalar) -> Bool {
        (33...126).contains(scalar.value) && scalar != "\"" && scalar != "\\"
    }
}
