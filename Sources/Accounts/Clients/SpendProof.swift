// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Spends what shows that a caller has a key (RFC 9449, section 11.1), in the ledger that every process has.
public struct SpendProof: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whether it was unspent until now: of two callers at once one gets `true`.
    ///
    /// - Parameters:
    ///   - identifier: of the proof, as nobody else's key can have one.
    ///   - expiry: after which the proof is refused anyway.
    public func callAsFunction(
        _ identifier: [UInt8], in directory: DirectoryID, until expiry: Instant
    ) async throws -> Bool {
        try await ports.store.write { tx in try tx.spend(identifier, in: directory, until: expiry) }
    }
}
