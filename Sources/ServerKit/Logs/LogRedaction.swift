// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

/// Metadata that never reaches a log, whoever writes it: a second lock behind not logging it in the first place.
enum LogRedaction {
    /// Names of secrets that are words of other names too.
    private static let secretKeys: Set<String> = ["code", "hash", "jwt", "link", "otp", "query", "totp", "uri"]
    /// What the name of a secret has in it, such as `provider_refresh_token`, `client_secret` and `new_email`.
    private static let secretWords = [
        "apikey", "authorization", "codeverifier", "cookie", "credential", "email", "password", "phone", "privatekey",
        "secret", "token",
    ]

    /// `refresh_token`, `refreshToken`, `refresh.token` and `Refresh-Token` are one name.
    static func isSecret(_ key: String) -> Bool {
        let name = key.lowercased().filter { $0.isLetter || $0.isNumber }
        return secretKeys.contains(name) || secretWords.contains { name.contains($0) }
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
        var all = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error, all["error"] == nil { all["error"] = .string("\(type(of: error))") }
        return all.sorted { $0.key < $1.key }
            .map { (key: $0.key, value: json($0.value, key: $0.key)) }
    }
}
