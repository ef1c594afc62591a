// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation

/// How the settings of a Directory are kept: as JSON text.
enum SettingsEncoding {
    static func text(_ settings: DirectorySettings) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(settings), as: UTF8.self)
    }

    /// A setting that is younger than the row has its default.
    static func settings(_ text: String) throws -> DirectorySettings {
        let decoder = JSONDecoder()
        if let settings = try? decoder.decode(DirectorySettings.self, from: Data(text.utf8)) { return settings }
        let defaults = try JSONObject(parsing: Self.text(DirectorySettings()).utf8)
        let complete = overlay(try JSONObject(parsing: text.utf8), on: defaults)
        return try decoder.decode(DirectorySettings.self, from: Data(JSONValue.object(complete).text.utf8))
    }

    private static func overlay(_ stored: JSONObject, on defaults: JSONObject) -> JSONObject {
        var complete = defaults
        for member in stored.members {
            if let inner = member.value.objectValue, let base = complete[member.name]?.objectValue {
                complete[member.name] = .object(overlay(inner, on: base))
            } else {
                complete[member.name] = member.value
            }
        }
        return complete
    }
}
