// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit

/// A store whose scans stop when the client has gone that they are made for: a list that nobody will read need not be
/// made.
struct AttendedStore: AccountStoring {
    private let base: any AccountStoring

    init(_ base: any AccountStoring) {
        self.base = base
    }

    func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func answer<Question: StoreQuestion>(_ question: Question) async throws -> Question.Answer {
        try await base.answer(question)
    }

    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await ClientWatch.whileClientWaits { [base] in try await base.scan(in: directory, body) }
    }

    func scanReplica<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await ClientWatch.whileClientWaits { [base] in try await base.scanReplica(in: directory, body) }
    }

    func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await base.write(body)
    }

    func writeBriefly<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await base.writeBriefly(body)
    }

    func write<Value: Sendable, Made>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value, while work: () async throws -> Made
    ) async throws -> (Value, Made) {
        try await base.write(body, while: work)
    }

    func writeInTurn<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await base.writeInTurn(body)
    }

    func writeInTurns(
        of most: Int, _ body: @Sendable @escaping (any StoreWriting, Range<Int>) throws -> Int
    ) async throws -> Int {
        try await base.writeInTurns(of: most, body)
    }

    func prepared(_ users: [User], with identities: [Identity]) throws -> PreparedUsers {
        try base.prepared(users, with: identities)
    }

    func didImport(_ count: Int, into directory: DirectoryID) { base.didImport(count, into: directory) }
}
