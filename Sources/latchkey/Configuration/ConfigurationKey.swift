// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One setting of `latchkey.yaml`, made of the table that describes it. The same name in capitals with underscores
/// after `LATCHKEY_` is its environment variable.
struct ConfigurationKey: Sendable {
    let name: String
    let form: SettingForm
    let defaultValue: String
    let summary: String
    let risk: String
    /// Where a Directory keeps it; `nil` for the server's own.
    let directoryPath: String?
    let set: @Sendable (inout ServerConfiguration, JSONValue) throws(AuthError) -> Void
    let parse: @Sendable (String) throws(AuthError) -> JSONValue

    /// The server's own settings, then those of its default Directory. Other Directories have theirs by
    /// `latchkey directory`.
    static let all =
        ServerConfiguration.table.map { ConfigurationKey($0) }
        + DirectorySettings.table.compactMap { ConfigurationKey(ofDirectory: $0) }

    private init(_ setting: Setting<ServerConfiguration>) {
        name = setting.name
        form = setting.form
        defaultValue = setting.defaultText(in: ServerConfiguration())
        summary = setting.summary
        risk = setting.risk
        directoryPath = nil
        set = { configuration, value throws(AuthError) in try setting.set(value, in: &configuration) }
        parse = { text throws(AuthError) in try setting.parse(text) }
    }

    /// `nil` for a setting that configuration files can't set.
    private init?(ofDirectory setting: Setting<DirectorySettings>) {
        guard let key = setting.key else { return nil }
        name = key
        form = setting.form
        defaultValue = setting.defaultText(in: DirectorySettings())
        summary = setting.summary
        risk = setting.risk
        directoryPath = setting.path
        set = { configuration, value throws(AuthError) in
            var judged = DirectorySettings()
            try setting.set(value, in: &judged)
            configuration.directoryChanges.append(DirectoryChange(setting: setting, value: value))
        }
        parse = { text throws(AuthError) in try setting.parse(text) }
    }

    /// `http.externalUrl` is `LATCHKEY_HTTP_EXTERNAL_URL`.
    var environmentVariable: String {
        var text = "LATCHKEY_"
        for character in name {
            if character == "." {
                text.append("_")
            } else {
                if character.isUppercase { text.append("_") }
                text += character.uppercased()
            }
        }
        return text
    }
}

/// What the configuration says of a setting of the default Directory.
struct DirectoryChange: Sendable {
    let setting: Setting<DirectorySettings>
    let value: JSONValue
}
