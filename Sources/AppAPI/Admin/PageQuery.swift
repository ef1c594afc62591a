// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The `limit` and `cursor` of a list, and nothing that the list does not know.
struct PageQuery {
    var limit = 20
    /// What the cursor of the page before stands for.
    var position: String?

    private static let maximumCursor = 256

    /// - Parameter others: further parameters that the list takes.
    init(_ query: [String: String], others: Set<String> = []) throws(AuthError) {
        for name in query.keys where name != "limit" && name != "cursor" && !others.contains(name) {
            throw AuthError(.invalidRequest, field: name)
        }
        if let text = query["limit"] {
            guard let value = Int(text), (1...100).contains(value) else {
                throw AuthError(.invalidRequest, field: "limit")
            }
            limit = value
        }
        if let cursor = query["cursor"] {
            guard cursor.utf8.count <= Self.maximumCursor, let bytes = Base64URL.decode(cursor),
                let text = String(strictUTF8: bytes), !text.isEmpty,
                text.utf8.allSatisfy({ (33...126).contains($0) })
            else { throw AuthError(.invalidRequest, field: "cursor") }
            position = text
        }
    }

    /// Opaque to clients, which have no business counting in it.
    static func cursor(_ position: String?) -> JSONValue {
        position.map { .string(Base64URL.encode(Array($0.utf8))) } ?? .null
    }
}
