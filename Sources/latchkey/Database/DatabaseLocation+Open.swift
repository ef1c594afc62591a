// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStorePostgres
import AccountStoreSQLite
import AuthTypes
import Foundation

extension DatabaseLocation {
    /// An opened database, and whether there was nothing in it before.
    struct Opened: Sendable {
        let store: any AccountDatabase
        let isNew: Bool
    }

    /// What was begun with a database as a whole and not finished: nothing else is done with it meanwhile.
    enum HalfDone: String, Sendable {
        case copy = "half a copy: latchkey database copy has not finished, and goes on when it is called again"
        case restore = "half restored: latchkey database restored has not finished, and goes on when it is called again"

        static func found(in store: any AccountDatabase) async throws -> HalfDone? {
            if try await store.isHalfCopied() { return .copy }
            return try await store.read { try $0.mark(.takingBack) } == nil ? nil : .restore
        }
    }

    /// Opens the database and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - creating: whether one is made where there is none.
    ///   - connections: at most; `nil` for as many as are configured.
    ///   - owner: the database whose master key opens it, where that is another one.
    ///   - halfDone: what it may be in the midst of.
    /// - Throws: ``CommandFailure`` where there is none, `AuthErrorCode.unavailable` where it can't be reached or read.
    func open(
        _ configuration: ServerConfiguration, creating: Bool, connections: Int? = nil,
        masterKeysOf owner: DatabaseLocation? = nil, halfDone: HalfDone? = nil,
        random: any RandomSource = SystemRandomSource(),
        damaged: @escaping @Sendable (_ row: String, _ columns: [String]) -> Void = { _, _ in }
    ) async throws -> Opened {
        let opened = try openStore(
            configuration, creating: creating, connections: connections, keysOf: owner ?? self, random: random,
            damaged: damaged)
        if let found = try await HalfDone.found(in: opened.store), found != halfDone {
            try opened.store.close()
            throw CommandFailure("\(self): \(found.rawValue)", .unavailable)
        }
        return opened
    }

    private func openStore(
        _ configuration: ServerConfiguration, creating: Bool, connections: Int?, keysOf owner: DatabaseLocation,
        random: any RandomSource, damaged: @escaping @Sendable (_ row: String, _ columns: [String]) -> Void
    ) throws -> Opened {
        let masterKeys: @Sendable () throws -> MasterKeys? = {
            try MasterKeySource.find(configuration, database: owner).read()
        }
        switch self {
        case .sqlite(let path):
            let isNew = !FileManager.default.fileExists(atPath: path)
            guard creating || !isNew else {
                throw CommandFailure(
                    "\(path): no such database; start the server once, or create a directory", .notFound)
            }
            let store = try SQLiteAccountStore(
                path: path, masterKeys: masterKeys, random: random,
                options: .init(maximumBatch: configuration.maximumBatch, damaged: damaged))
            return Opened(store: store, isNew: isNew)
        case .postgres(let address):
            let store = try PostgresAccountStore(
                address, masterKeys: masterKeys, random: random,
                options: .init(
                    connections: connections ?? configuration.postgres.connections,
                    statement: .seconds(configuration.postgres.answerSeconds),
                    schema: configuration.postgres.schema, preparation: creating ? .migrate : .migratePresent,
                    replica: configuration.postgres.replica,
                    damaged: damaged))
            return Opened(store: store, isNew: store.isNew)
        }
    }

    /// Which schema it has, without changing anything; `nil` for none.
    func schemaVersion(_ configuration: ServerConfiguration) throws -> Int? {
        switch self {
        case .sqlite(let path): try SQLiteAccountStore.schemaVersion(path: path)
        case .postgres(let address):
            try PostgresAccountStore.schemaVersion(of: address, schema: configuration.postgres.schema)
        }
    }

    /// Keeps a second server off a file; a server of databases keeps several apart itself.
    func lock() throws -> StoreLock? {
        guard case .sqlite(let path) = self else { return nil }
        return try StoreLock(databaseAt: path)
    }
}
