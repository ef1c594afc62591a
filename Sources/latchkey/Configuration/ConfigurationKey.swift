// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One setting of `latchkey.yaml`: its name, what it is for, what goes wrong when it is set carelessly, and how it is
/// taken over. The same name in capitals with underscores after `LATCHKEY_` is its environment variable.
struct ConfigurationKey: Sendable {
    enum Kind: Sendable {
        case text(@Sendable (inout ServerConfiguration, String) throws -> Void)
        case secret(@Sendable (inout ServerConfiguration, Secret<String>) -> Void)
        case whole(ClosedRange<Int>, @Sendable (inout ServerConfiguration, Int) throws -> Void)
        case flag(@Sendable (inout ServerConfiguration, Bool) -> Void)
        case list(@Sendable (inout ServerConfiguration, [String]) -> Void)
    }

    var name: String
    var kind: Kind
    var defaultValue: String
    var summary: String
    /// What a careless value costs; empty where nothing.
    var risk: String

    init(_ name: String, _ kind: Kind, default defaultValue: String, _ summary: String, risk: String = "") {
        self.name = name
        self.kind = kind
        self.defaultValue = defaultValue
        self.summary = summary
        self.risk = risk
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
