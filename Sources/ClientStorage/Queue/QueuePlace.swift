// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Where a queue's database is, and how it is opened: for each piece of work anew, so that no connection outlives a
/// file that was put aside, and none is shared between threads.
struct QueuePlace: Sendable {
    private static let version: Int64 = 1
    private static let name = "mutations.sqlite"

    let directory: PrivateDirectory

    /// Runs `body` with the open database. A damaged one is put aside, with what lies beside it, and said to be so
    /// once.
    func using<Value>(
        _ body: (borrowing QueueDatabase) throws(QueueDatabase.Fault) -> Value
    ) throws(MutationQueueError) -> Value {
        do throws(QueueDatabase.Fault) {
            // Makes and judges the directory; the files in it are nobody else's then.
            let folder: String
            do throws(SecureStoreError) {
                try directory.make(Self.name)
                folder = try directory.resolvedPath()
            } catch {
                throw QueueDatabase.Fault(store: error)
            }
            let database = try QueueDatabase(path: "\(folder)/\(Self.name)")
            try prepare(database)
            return try body(database)
        } catch {
            throw .store(storeError(error))
        }
    }

    private func prepare(_ database: borrowing QueueDatabase) throws(QueueDatabase.Fault) {
        for pragma in ["journal_mode = WAL", "synchronous = FULL", "fullfsync = ON", "secure_delete = ON"] {
            try database.run("PRAGMA " + pragma)
        }
        let version = try database.run("PRAGMA user_version").first?.first
        switch version {
        case .integer(Self.version): return
        case .integer(0):
            try database.transaction { () throws(QueueDatabase.Fault) in
                for statement in MutationRow.schema { try database.run(statement) }
                try database.run("PRAGMA user_version = \(Self.version)")
            }
        default: throw QueueDatabase.Fault(store: .unavailable(reason: "a later version wrote the queue"))
        }
    }

    private func storeError(_ fault: QueueDatabase.Fault) -> SecureStoreError {
        if let error = fault.store { return error }
        if fault.isFull { return .full }
        guard fault.isDamage else { return .unavailable(reason: "SQLite's result code \(fault.code)") }
        do throws(SecureStoreError) {
            return try directory.writing { (open) throws(SecureStoreError) in
                let aside = try directory.putAside(Self.name, in: open)
                for beside in ["-wal", "-shm"] { _ = try? directory.putAside(Self.name + beside, in: open) }
                return .corrupted(quarantined: aside)
            }
        } catch {
            return error
        }
    }
}
