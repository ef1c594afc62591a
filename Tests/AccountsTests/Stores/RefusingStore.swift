// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A store that answers everything with one error.
struct RefusingStore: AccountStoring {
    let error: AuthError

    init(_ code: AuthErrorCode) { error = AuthError(code) }

    func read<Value: Sendable>(_: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        throw error
    }

    func scan<Value: Sendable>(
        in _: DirectoryID?, _: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        throw error
    }

    func write<Value: Sendable>(_: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        throw error
    }
}
