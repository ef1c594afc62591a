// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A store in front of another one, which does what is asked of it but for what a test has it do in another way. Every
/// kind of write comes by ``AccountStoring/write(_:)``, every question by ``AccountStoring/read(_:)``.
protocol ForwardingStore: AccountStoring {
    var base: any AccountStoring { get }
}

extension ForwardingStore {
    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await base.read(body)
    }

    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await base.scan(in: directory, body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await base.write(body)
    }
}
