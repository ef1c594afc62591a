// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `CreateIdentityPool`, `DescribeIdentityPool`, `UpdateIdentityPool`, `DeleteIdentityPool`, `ListIdentityPools`.
enum IdentityPoolEndpoints {
    static func create(_ call: IdentityPoolCall) async throws -> JSONObject {
        let members = try await IdentityPoolMembers(call)
        let pool = try await call.accounts.identityPoolAdministration.create(call: call.flow) {
            members.apply(to: &$0)
        }
        return IdentityPoolMembers.encode(pool, call.names)
    }

    static func describe(_ call: IdentityPoolCall) async throws -> JSONObject {
        IdentityPoolMembers.encode(try call.pool(), call.names)
    }

    /// What is not given is none, but for the developer provider and the tags, which stay.
    static func update(_ call: IdentityPoolCall) async throws -> JSONObject {
        let members = try await IdentityPoolMembers(call)
        let pool = try await call.accounts.identityPoolAdministration.update(try call.pool().id, call: call.flow) {
            members.apply(to: &$0)
        }
        return IdentityPoolMembers.encode(pool, call.names)
    }

    static func delete(_ call: IdentityPoolCall) async throws -> JSONObject {
        try await call.accounts.identityPoolAdministration.delete(try call.pool().id, call: call.flow)
        return [:]
    }

    static func list(_ call: IdentityPoolCall) async throws -> JSONObject {
        guard call.input.object["MaxResults"] != nil else { throw Input.missing("MaxResults") }
        let page = try Page(
            call.input, of: ["identity pools", call.flow.directory.id.rawValue], limit: "MaxResults",
            token: .identityToken, least: 1)
        let found = try await call.accounts.identityPoolAdministration.list(
            after: page.after.map { IdentityPoolID($0) }, limit: page.size + 1, call: call.flow)
        var json: JSONObject = [
            "IdentityPools": .array(
                found.prefix(page.size).map {
                    [
                        "IdentityPoolId": .string(call.dialect.wireID($0.id)), "IdentityPoolName": .string($0.name),
                    ]
                })
        ]
        json["NextToken"] = page.next(after: found.map(\.id.rawValue))
        return json
    }
}
