// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

/// Metadata that never reaches a log, whoever writes it: a second lock behind not logging it in the first place.
enum LogRedaction {
    /// Names of secrets that are words of other names too.
    private static let secretNames = Set(
        ["code", "hash", "jwt", "link", "otp", "query", "totp", "uri"].map { Array($0.utf8) })
    /// What the name of a secret has in it, such as `provider_refresh_token`, `client_secret` and `new_email`.
    private static let secretWords = [
        "apikey", "authorization", "codeverifier", "cookie", "credential", "email", "password", "phone", "privatekey",
        "secret", "token",
    ].map { Array($0.utf8) }

    /// Whether a value of this name is a secret. `refresh_token`, `refreshToken`, `refresh.token` and `Refresh-Token`
    /// are one name. It is asked of every name of every line: compared in bytes, which costs less than to look up what
    /// was said of the name before.
    static func isSecret(_ key: String) -> Bool {
        let name = letters(of: key)
        if secretNames.contains(name) { return true }
        return name.indices.contains { start in
            secretWords.contains { $0[0] == name[start] && name[start...].starts(with: $0) }
        }
    }

    /// The letters and digits of a name, in lower case.
    private static func letters(of key: String) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity(key.utf8.count)
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): letters.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
            case 0x80...: return Array(key.lowercased().filter { $0.isLetter || $0.isNumber }.utf8)
            default: break
            }
        }
        return letters
    }

    /// The value as JSON, secrets in it replaced at any depth.
    static func json(_ value: Logger.MetadataValue, key: String) -> JSONValue {
        guard !isSecret(key) else { return "[redacted]" }
        switch value {
        case .string(let text): return .string(text)
        case .stringConvertible(let value): return .string(value.description)
        case .array(let values): return .array(values.map { json($0, key: key) })
        case .dictionary(let values):
            var object = JSONObject()
            for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = json(value, key: key) }
            return .object(object)
        }
    }

    /// A logger's metadata and an event's over it, in order of the names. Of an error beside them only its type: its
    /// text may repeat what a client sent.
    static func members(_ metadata: Logger.Metadata, _ event: LogEvent) -> [(key: String, value: JSONValue)] {
        let own = event.metadata ?? [:]
        var all: [(key: String, value: JSONValue)] = []
        all.reserveCapacity(metadata.count + own.count + 1)
        for (key, value) in own { all.append((key, json(value, key: key))) }
        for (key, value) in metadata where own[key] == nil { all.append((key, json(value, key: key))) }
        if let error = event.error, own["error"] == nil, metadata["error"] == nil {
            all.append(("error", .string("\(type(of: error))")))
        }
        all.sort { $0.key < $1.key }
        return all
    }
}
