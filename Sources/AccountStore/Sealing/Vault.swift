// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A value is sealed with a data key that this process has not read yet: another one has made it since.
struct UnknownDataKey: Error {
    let id: UInt32
}

/// The data keys of one store, unwrapped, and the way to those that other processes make while it is open.
package final class Vault: Sendable {
    /// A row of `data_keys`.
    struct Row: Sendable {
        let id: UInt32
        let masterKeyID: String
        let wrapped: [UInt8]
    }

    private struct State {
        var keys: [UInt32: DataKey] = [:]
        /// Numbers that damaged values name.
        var absent: Set<UInt32> = []
    }

    let random: any RandomSource
    /// Asked again whenever a key is met that is not known, so that a key file may be changed under a running server.
    private let masterKeys: @Sendable () throws -> MasterKeys?
    private let state = Mutex(State())

    package init(random: any RandomSource, masterKeys: @escaping @Sendable () throws -> MasterKeys?) {
        self.random = random
        self.masterKeys = masterKeys
    }

    func master() throws -> MasterKeys? { try masterKeys() }

    func has(_ key: UInt32) -> Bool { state.withLock { $0.keys[key] != nil } }

    /// The newest key that this process has read; `nil` where it knows of none. What a transaction knows is
    /// ``SQLTransaction/newestKey()``.
    var newestKnown: UInt32? { state.withLock { $0.keys.keys.max() } }

    // MARK: Values

    /// A value as it is stored: sealed with this key; in the clear with none.
    ///
    /// - Throws: ``UnknownDataKey``.
    func stored(_ value: [UInt8], in cell: Cell, key id: UInt32?) throws -> [UInt8] {
        guard let id else { return [StoredValue.clearMark] + value }
        guard let key = state.withLock({ $0.keys[id] }) else { throw UnknownDataKey(id: id) }
        return try key.seal(value, in: cell, random: random)
    }

    /// The same, of a column that may be null.
    func sealed(
        _ value: [UInt8]?, _ column: SealedColumn, in directory: DirectoryID, row: String, by key: UInt32?
    ) throws -> SQLValue {
        guard let value else { return .null }
        return .blob(try stored(value, in: Cell(column, in: directory.rawValue, row: row), key: key))
    }

    /// The value of a column.
    ///
    /// - Throws: ``UnknownDataKey``; ``StoredRowError`` for a value that is damaged or stood elsewhere.
    func value(of stored: [UInt8], in cell: Cell, column index: Int) throws -> [UInt8] {
        switch StoredValue(stored) {
        case .clear(let value): return Array(value)
        case .sealed(let id, let sealed):
            let (key, isAbsent) = state.withLock { ($0.keys[id], $0.absent.contains(id)) }
            guard let key else { throw isAbsent ? StoredRowError(column: index) : UnknownDataKey(id: id) as any Error }
            guard let value = try? key.open(sealed, in: cell) else { throw StoredRowError(column: index) }
            return value
        case nil: throw StoredRowError(column: index)
        }
    }

    // MARK: Keys

    /// Takes the store's keys over. Those known already are not unwrapped again.
    ///
    /// - Throws: `AuthErrorCode.unavailable` naming the master key that is wanted and those that were given.
    func take(_ rows: [Row], wanted: UInt32? = nil) throws {
        let known = state.withLock { $0.keys }
        let fresh = rows.filter { known[$0.id] == nil }
        let masters = fresh.isEmpty ? nil : try masterKeys()
        var keys = known
        for row in fresh {
            guard let master = masters?.key(row.masterKeyID) else {
                let given =
                    masters.map { "those given are " + $0.all.map(\.id).joined(separator: ", ") } ?? "none is given"
                throw AuthError(
                    .unavailable, reason: "its secrets are sealed under the master key \(row.masterKeyID), and \(given)"
                )
            }
            do {
                keys[row.id] = try DataKey(id: row.id, unwrapping: row.wrapped, by: master)
            } catch {
                throw AuthError(.unavailable, reason: "its data key \(row.id) is damaged")
            }
        }
        state.withLock { [keys] state in
            state.keys.merge(keys) { present, _ in present }
            // A damaged value may name any number.
            if state.absent.count > 1000 { state.absent = [] }
            if let wanted, state.keys[wanted] == nil { state.absent.insert(wanted) }
        }
    }
}
