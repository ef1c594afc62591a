// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SelfHostedEnvironment {
    /// The platform's own database, and what is encrypted in it.
    public struct Database: Sendable {
        /// Where it is, as a connection URI; there may be a password in it.
        public internal(set) var url: Secret<String>?
        /// The schema that the platform's tables of accounts are in.
        public internal(set) var namespace = "auth"
        /// What opens the columns that are encrypted.
        public internal(set) var secrets = PlatformSecrets()

        var keyName = ""
        var key: Secret<String>?
        var keys: [String: Secret<String>] = [:]
    }

    static let databaseVariables: [SelfHostedVariable] = [
        .server(urlName) { environment, value throws(AuthError) in
            environment.database.url = Secret(withoutSearchPath(value))
        },
        .server("DB_NAMESPACE") { environment, value throws(AuthError) in environment.database.namespace = value },
        .server("GOTRUE_DB_DB_NAMESPACE") { environment, value throws(AuthError) in
            environment.database.namespace = value
        },
        .server(keyNames[0]) { environment, value throws(AuthError) in environment.database.keyName = value },
        .server(keyNames[1]) { environment, value throws(AuthError) in environment.database.key = Secret(value) },
        .server(keyNames[2]) { environment, value throws(AuthError) in
            for pair in list(value) {
                let parts = pair.split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2 else {
                    throw AuthError(.invalidRequest, reason: "expected name:key pairs with commas between them")
                }
                environment.database.keys[parts[0]] = Secret(parts[1])
            }
        },
    ]

    private static let urlName = "GOTRUE_DB_DATABASE_URL"
    private static let keyNames = ["ENCRYPTION_KEY_ID", "ENCRYPTION_KEY", "DECRYPTION_KEYS"].map {
        "GOTRUE_SECURITY_DB_ENCRYPTION_" + $0
    }

    /// The host of the app's site, where the platform's clients make keys.
    public var siteHost: String? { settings.siteURL.flatMap(Self.host) }

    mutating func finishDatabase() throws(AuthError) {
        var keys = database.keys
        if let key = database.key {
            keys[database.keyName] = key
            _ = try Self.secrets([database.keyName: key], of: Self.keyNames[1])
        }
        guard !keys.isEmpty else { return }
        database.secrets = try Self.secrets(keys, of: Self.keyNames[2])
        guard database.url == nil else { return }
        let name = database.keys.isEmpty ? Self.keyNames[1] : Self.keyNames[2]
        findings.append(
            Finding(kind: .notNeeded, name: name, reason: "no database of the platform's is taken over"))
    }

    private static func secrets(
        _ keys: [String: Secret<String>], of variable: String
    ) throws(AuthError) -> PlatformSecrets {
        do throws(AuthError) {
            return try PlatformSecrets(keys)
        } catch {
            throw AuthError(.invalidRequest, reason: error.reason ?? "not keys", field: variable)
        }
    }

    /// Leaves the platform's database alone, and says why.
    public mutating func leaveDatabase(because reason: String) {
        guard database.url != nil else { return }
        database.url = nil
        findings.append(Finding(kind: .notNeeded, name: Self.urlName, reason: reason))
    }

    /// The platform's driver takes a setting of the session for a parameter, which libpq refuses; ours says of each
    /// statement what it means.
    private static func withoutSearchPath(_ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return url }
        let rest = parts[1].split(separator: "&").filter { !$0.hasPrefix("search_path=") }
        return parts[0] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
    }
}
