// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a client was given a session for, as one column keeps it; that it is offline is a column of its own, since
/// statements ask for it.
enum GrantEncoding {
    static func json(_ grant: ClientGrant) -> JSONObject {
        var json: JSONObject = ["scopes": JSONObject.texts(grant.scopes)]
        if !grant.resources.isEmpty { json["resources"] = JSONObject.texts(grant.resources) }
        if !grant.claims.isEmpty { json["claims"] = .object(grant.claims) }
        json["dpop_key"] = grant.dpopKey.map { .string($0) }
        return json
    }

    static func grant(_ json: JSONObject, isOffline: Bool, column: Int) throws -> ClientGrant {
        ClientGrant(
            scopes: try json.texts("scopes", column: column), resources: try json.texts("resources", column: column),
            claims: json["claims"]?.objectValue ?? [:], isOffline: isOffline, dpopKey: json["dpop_key"]?.stringValue)
    }
}

extension JSONObject {
    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// None where there is no such member.
    func texts(_ name: String, column: Int) throws -> [String] {
        guard let value = self[name] else { return [] }
        guard let values = value.arrayValue else { throw StoredRowError(column: column) }
        return try values.map { value in
            guard let text = value.stringValue else { throw StoredRowError(column: column) }
            return text
        }
    }
}
