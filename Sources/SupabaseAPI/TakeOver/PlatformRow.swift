// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A row of one of the platform's tables, by the names of its columns. What an older version has not is `nil`.
struct PlatformRow {
    let json: JSONObject

    init(_ json: JSONObject) {
        self.json = json
    }

    /// The members of a list of rows.
    func rows(_ name: String) -> [PlatformRow] {
        (json[name]?.arrayValue ?? []).compactMap(\.objectValue).map(PlatformRow.init)
    }

    /// `nil` for an empty one too: the platform writes both for none.
    func text(_ name: String) -> String? {
        json[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }

    func flag(_ name: String) -> Bool { json[name]?.boolValue ?? false }

    func whole(_ name: String) -> Int64? { json[name]?.integerValue }

    func object(_ name: String) -> JSONObject { json[name]?.objectValue ?? [:] }

    /// A lower-case UUID.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the column.
    func identifier(_ name: String) throws(AuthError) -> String {
        guard let text = text(name), UUIDText.isIdentifier(text) else {
            throw AuthError(.invalidRequest, reason: "no UUID", field: name)
        }
        return text
    }

    /// A time, with its place or, as some columns have it, in UTC without. One that never comes, or has always been, is
    /// none.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the column.
    func time(_ name: String) throws(AuthError) -> Instant? {
        guard let text = text(name), text != "-infinity", text != "infinity" else { return nil }
        guard let instant = Instant(rfc3339: text) ?? Instant(rfc3339: text + "Z") else {
            throw AuthError(.invalidRequest, reason: "no time of the years 1 to 9999", field: name)
        }
        return instant
    }

    /// The same, of a time that there always is; `otherwise` where an old row has none.
    func time(_ name: String, otherwise: Instant) throws(AuthError) -> Instant { try time(name) ?? otherwise }
}
