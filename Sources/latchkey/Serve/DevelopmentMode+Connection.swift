// SPDX-License-Identifier: Apache-2.0

import AccountPages
import Accounts
import DevelopmentIdentityProvider
import ServerKit

/// What an app is told to reach a development server: in the terms of each vendor's SDK, as its dialect says it.
extension DevelopmentMode {
    struct Connection: Sendable {
        fileprivate var dialects: [@Sendable () -> ConnectionSettings] = []
        fileprivate var provider: DevelopmentIdentityProvider?
    }

    /// Gathers the settings; the dialects make what they show and is not there yet.
    func connection(
        to dialects: [any Dialect], provider: DevelopmentIdentityProvider?, call: CallContext
    ) async throws -> Connection {
        var connection = Connection()
        connection.provider = provider
        for dialect in dialects { connection.dialects.append(try await dialect.connection(for: call)) }
        return connection
    }

    func settings(url: String, _ connection: Connection) -> DevelopmentSettings {
        DevelopmentSettings(
            sections: connection.dialects.map { $0() } + [
                ConnectionSettings(name: "app", title: "App API", values: [("url", "Base URL", url)]),
                ConnectionSettings(
                    name: "demo", title: "Demo user",
                    values: [("email", "Email", Self.demoEmail), ("password", "Password", demoPassword)]),
            ] + (connection.provider.map { [Self.settings(of: $0, url: url)] } ?? []))
    }

    /// What the server prints when it is ready.
    func greeting(url: String, _ connection: Connection) -> String {
        var lines = [
            "", "Latchkey runs in development mode at \(url)", "",
            "  Settings   \(url)/dev", "  Mail       \(url)/dev/mail",
            "  Demo user  \(Self.demoEmail)  \(demoPassword)", "", "Point your app here and change nothing else.",
        ]
        for dialect in connection.dialects.map({ $0() }) {
            lines.append("  " + dialect.title)
            lines += dialect.environment.map { "  \($0.name)=\($0.value)" }
            lines.append("")
        }
        return (lines + ["Stop it with Ctrl-C."]).joined(separator: "\n")
    }
}
