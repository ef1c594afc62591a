// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What is in a pool: `ListIdentities`, `DescribeIdentity`, `DeleteIdentities`.
enum PoolIdentityEndpoints {
    static func list(_ call: IdentityPoolCall) async throws -> JSONObject {
        let pool = try call.pool()
        guard call.input.object["MaxResults"] != nil else { throw Input.missing("MaxResults") }
        let page = try Page(
            call.input, of: ["identities", pool.id.rawValue], limit: "MaxResults", token: .identityToken, least: 1)
        let hidesMerged = try call.input.flag("HideDisabled") ?? false
        let found = try await call.accounts.identityPoolAdministration.identities(
            of: pool.id, after: page.after.map { PoolIdentityID($0) }, withMerged: !hidesMerged, limit: page.size + 1,
            call: call.flow)
        var json: JSONObject = [
            "IdentityPoolId": .string(call.dialect.wireID(pool.id)),
            "Identities": .array(found.prefix(page.size).map { .object(encode($0, pool, call)) }),
        ]
        json["NextToken"] = page.next(after: found.map(\.identity.id.rawValue))
        return json
    }

    static func describe(_ call: IdentityPoolCall) async throws -> JSONObject {
        let found = try await call.accounts.identityPoolAdministration.identity(try call.identity(), call: call.flow)
        guard let found else { throw IdentityPoolRefusal.identityNotFound }
        return encode(found, try call.pool(), call)
    }

    /// Those that are not there need no deletion, as at the service.
    static func delete(_ call: IdentityPoolCall) async throws -> JSONObject {
        let shape = WireShape.list(.text(1...55, .wireID), 1...60)
        guard let list = try shape.read("IdentityIdsToDelete", of: call.input)?.arrayValue else {
            throw Input.missing("IdentityIdsToDelete")
        }
        let ids = list.compactMap(\.stringValue).compactMap { try? call.dialect.identityID($0) }
        try await call.accounts.identityPoolAdministration.deleteIdentities(ids, call: call.flow)
        return ["UnprocessedIdentityIds": []]
    }

    private static func encode(
        _ known: IdentityResolution.Known, _ pool: IdentityPool, _ call: IdentityPoolCall
    ) -> JSONObject {
        var names: [String] = []
        for login in known.logins {
            let name = call.names.shown(login.provider, in: pool)
            if !names.contains(name) { names.append(name) }
        }
        return [
            "IdentityId": .string(call.dialect.wireID(known.identity.id)),
            "Logins": .array(names.map { .string($0) }),
            "CreationDate": known.identity.createdAt.wireDate, "LastModifiedDate": known.identity.updatedAt.wireDate,
        ]
    }
}
