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
        fileprivate let database: DatabaseLocation
    }

    /// Gathers the settings; the dialects make what they show and is not there yet.
    func connection(
        to dialects: [any Dialect], provider: DevelopmentIdentityProvider?, database: DatabaseLocation,
        call: CallContext
    ) async throws -> Connection {
        var connection = Connection(database: database)
        connection.provider = provider
        for dialect in dialects { connection.dialects.append(try await dialect.connection(for: call)) }
        return connection
    }

    func settings(url: String, _ connection: Connection) -> DevelopmentSettings {
        var pages = ConnectionSettings(name: "accountPages", title: "Account pages", values: [])
        pages.links = [("url", "Sign in, or see your account", url + "/account")]
        var dialects = connection.dialects.map { $0() }
        for index in dialects.indices where dialects[index].name == "openid" {
            dialects[index].snippets.append(Self.makingClients(in: connection.database))
        }
        return DevelopmentSettings(
            sections: dialects + [
                ConnectionSettings(name: "app", title: "App API", values: [("url", "Base URL", url)]),
                pages,
                ConnectionSettings(
                    name: "demo", title: "Demo user",
                    values: [("email", "Email", Self.demoEmail), ("password", "Password", demoPassword)]),
            ] + (connection.provider.map { [Self.settings(of: $0, url: url)] } ?? []))
    }

    /// What makes a client of the provider's protocol, which a developer's app needs one of its own for.
    private static func makingClients(in database: DatabaseLocation) -> (title: String, code: String) {
        (
            "Shell, where `make run` was called: a client of your own (client ID and secret are printed)",
            """
            swift run latchkey client create 'My app' --redirect-uri http://127.0.0.1:3000/callback \\
              --database '\(database)'
            """
        )
    }

    /// What the server prints when it is ready.
    func greeting(url: String, _ connection: Connection) -> String {
        var lines = [
            "", "Latchkey runs in development mode at \(url)", "",
            "  Settings   \(url)/dev", "  Mail       \(url)/dev/mail",
            "  Demo user  \(Self.demoEmail)  \(demoPassword)",
        ]
        if connection.provider != nil {
            lines.append("  Providers  \(url)\(DevelopmentIdentityProvider.path)  plays Google, Apple and others")
        }
        lines += ["", "Point your app here and change nothing else."]
        for dialect in connection.dialects.map({ $0() }) {
            lines.append("  " + dialect.title)
            lines += dialect.environment.map { "  \($0.name)=\($0.value)" }
            lines.append("")
        }
        return (lines + ["Stop it with Ctrl-C."]).joined(separator: "\n")
    }
}
