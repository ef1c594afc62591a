// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import AccountStorePostgres

/// Another server's database with an app's tables on its users (`Gotrue`), and empty tables of ours in it: a copy of
/// one that is made once for each server of the tests.
struct PlatformDatabase: Sendable {
    /// As the role that the other server has.
    let address: PostgresAddress
    /// As a superuser.
    let root: PostgresAddress

    /// - Parameter namespace: the schema of the other server's tables.
    static func make(namespace: String = "auth") async throws -> PlatformDatabase {
        let server = try #require(PostgresServer.current)
        let (template, number) = try await server.platforms.template(namespace, on: server)
        let name = "\(template.name)_\(number)"
        let connection = try PostgresConnection(server.address(), schema: "public")
        // By itself each: a database is made in no transaction.
        for statement in [
            "CREATE DATABASE \(name) TEMPLATE \(template.name)",
            // These are no part of a copy.
            "GRANT CREATE ON DATABASE \(name) TO supabase_auth_admin",
            "ALTER ROLE supabase_auth_admin IN DATABASE \(name) SET search_path = \"\(namespace)\"",
        ] {
            try connection.commands([statement])
        }
        let urls = template.urls.map { $0.replacing("/\(template.name)?", with: "/\(name)?") }
        return PlatformDatabase(
            address: try PostgresAddress(parsing: urls[0]), root: try PostgresAddress(parsing: urls[1]))
    }
}

/// The databases that others are copied from, by the schema of the other server's tables.
actor PlatformTemplates {
    struct Template: Sendable {
        let name: String
        let urls: [String]
    }

    private var templates: [String: Task<Template, any Error>] = [:]
    private var copies = 0

    /// - Returns: the database, which nobody is connected to, and the number of a copy.
    func template(_ namespace: String, on server: PostgresServer) async throws -> (Template, number: Int) {
        let name = "platform_\(templates.count)"
        let making =
            templates[namespace]
            ?? Task {
                let urls = try await ScriptProcess.run("Gotrue/gotrue_database.py", [server.url, name, namespace]) {
                    script in [try await script.line(), try await script.line()]
                }
                try PostgresAccountStore(try PostgresAddress(parsing: urls[0])).close()
                return Template(name: name, urls: urls)
            }
        templates[namespace] = making
        copies += 1
        let number = copies
        return (try await making.value, number)
    }
}
