// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A store with two Directories: what is done in one must not be seen in the other.
struct World: Sendable {
    let store: any AccountStoring
    let home = DirectoryID("home")
    let other = DirectoryID("other")

    init(_ store: any AccountStoring) async throws {
        self.store = store
        try await store.write { tx in
            try tx.insert(Sample.directory("home"))
            try tx.insert(Sample.directory("other"))
        }
    }

    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value { try await store.read(body) }

    func scan<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value { try await store.scan(in: home, body) }

    @discardableResult
    func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value { try await store.write(body) }

    /// Inserts a user as `change` leaves them.
    @discardableResult
    func addUser(
        _ id: String, in directory: DirectoryID = DirectoryID("home"), called identifiers: JSONObject = [:],
        _ change: (inout User) throws -> Void = { _ in }
    ) async throws -> User {
        var user = User(
            id: UserID(id), directoryID: directory, externalIdentifiers: try ExternalIdentifiers(identifiers),
            createdAt: Sample.now)
        try change(&user)
        return try await write { [user] tx in
            try tx.insert(user)
            return user
        }
    }
}
