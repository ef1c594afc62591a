// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import Testing

@testable import AccountStorePostgres

/// Another server's database with an app's tables on its users (`Support/Gotrue`), and a server of ours over it whose
/// default Directory is mirrored there.
struct MirroredDatabase: Sendable {
    let store: PostgresAccountStore
    let world: Processes
    private let platform: PlatformDatabase

    var directory: Directory { world.directory }

    /// - Parameter namespace: the schema of the other server's tables.
    static func with(
        namespace: String = "auth", _ body: (MirroredDatabase) async throws -> Void
    ) async throws {
        let platform = try await PlatformDatabase.make(namespace: namespace)
        let store = try PostgresAccountStore(platform.address)
        defer { store.close() }
        let database = MirroredDatabase(
            store: store, world: try await Processes([store], DirectorySettings()), platform: platform)
        try await store.installMirror(
            namespace: namespace, of: database.directory.id, dialect: DialectName("elsewhere"))
        try await body(database)
    }

    /// As a server does that is started beside this one.
    func open() throws -> PostgresAccountStore { try PostgresAccountStore(platform.address) }

    /// A connection of a superuser's.
    func connection() throws -> PostgresConnection { try PostgresConnection(platform.root, schema: "public") }

    /// A connection of our server's, for what it does to tables.
    func installer() throws -> PostgresConnection { try PostgresConnection(platform.address, schema: "latchkey") }

    /// What is installed.
    func mirror() async throws -> SchemaMirror {
        let installed = try await store.mirror()
        return try #require(installed)
    }

    /// Leaves the other server's tables without the mirror, and without any of our rows, as before a first filling.
    ///
    /// - Parameter user: who stays.
    func forget(but user: User? = nil) async throws {
        try await store.removeMirror()
        let stays = user.map { " WHERE id <> '\($0.id.rawValue)'" } ?? ""
        _ = try sql("DELETE FROM auth.users\(stays) RETURNING 'gone'")
    }

    /// The first column of what an app's own connection reads, or is told; what changes rows is committed.
    func sql(_ text: String) throws -> [String?] {
        let connection = try PostgresConnection(platform.root, schema: "public")
        connection.begin(.serializable)
        do {
            let rows = try connection.query(text, []) { $0.isNull(0) ? nil : try $0.text(0) }
            try connection.commit()
            return rows
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// What the other server has written before it was mirrored.
    func write(_ text: String) throws {
        let connection = try PostgresConnection(platform.root, schema: "public")
        connection.begin(.serializable)
        try connection.commands(["SET LOCAL latchkey.mirrors TO 'on'", text])
        try connection.commit()
    }

    /// A user who is known by an address.
    func user(_ email: String, _ change: (inout User) -> Void = { _ in }) async throws -> User {
        var made = User(id: world.ports[0].random.identifier(), directoryID: directory.id, createdAt: Processes.now)
        made.email = try EmailAddress(email)
        made.appMetadata = ["provider": "email", "providers": ["email"]]
        change(&made)
        let user = made
        let identity = Identity(
            id: world.ports[0].random.identifier(), directoryID: directory.id, userID: user.id, provider: "email",
            subject: user.id.rawValue, data: ["sub": .string(user.id.rawValue), "email": .string(email)],
            createdAt: Processes.now, updatedAt: Processes.now)
        try await store.write { tx in
            try tx.insert(user)
            try tx.insert(identity)
        }
        return user
    }

    /// Both say the same, row by row.
    func requireAgreement(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let report = try await store.checkMirror()
        #expect(report.agrees, "\(report)", sourceLocation: sourceLocation)
    }
}
