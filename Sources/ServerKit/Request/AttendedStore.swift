// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A store whose scans stop when the client has gone that they are made for: a list that nobody will read need not be made.
public struct AttendedStore: AccountStoring {
    private let base: any AccountStoring

    public init(_ base: any AccountStoring) {
        self.base = base
    }

    public func read<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreReading) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    public func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        guard let watch = ClientWatch.current else { return try await base.scan(in: directory, body) }
        return try await watch.run { [base] in try await base.scan(in: directory, body) }
    }

    public func write<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await base.write(body)
    }
}
