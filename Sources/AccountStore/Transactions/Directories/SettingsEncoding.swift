// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How the settings of a Directory are kept: as JSON text.
enum SettingsEncoding {
    static func text(_ settings: DirectorySettings) -> String { JSONValue.object(settings.json).text }

    static func settings(_ text: String) throws -> DirectorySettings {
        try DirectorySettings(stored: try JSONObject(parsing: text.utf8))
    }
}
