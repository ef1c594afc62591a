// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import Logging

/// Secrets at rest, as a server that starts sees to them.
struct Sealing {
    let store: any AccountDatabase
    let source: MasterKeySource
    let logger: Logger

    /// Seals the store where a master key is given, with what is in it already. To be done before anything is served:
    /// no other process may have the database open without the key.
    ///
    /// - Returns: Whether the store is sealed.
    func prepare(at now: Instant) async throws -> Bool {
        guard try await store.beginSealing(at: now) else { return false }
        guard try await !store.isSealedThroughout() else { return true }
        logger.notice("sealing the store's secrets", metadata: ["master_key": .string(source.name)])
        let report = try await store.sealEverything(at: now)
        // What stood in the clear must not be left in free space.
        let left = try await store.rewrite()
        if !left.isEmpty {
            logger.warning(
                "what stood in the clear may still be in free space: VACUUM FULL these tables, as their owner",
                metadata: ["tables": .string(left.joined(separator: ", "))])
        }
        let metadata: Logger.Metadata = [
            "sealed": .stringConvertible(report.sealed), "damaged": .stringConvertible(report.damaged),
        ]
        if report.isComplete {
            logger.notice("sealed", metadata: metadata)
        } else {
            logger.warning("some values are damaged and were left as they are", metadata: metadata)
        }
        return true
    }

    /// Says loudly what is in the clear of a store that is not sealed.
    func warn() async throws {
        var metadata: Logger.Metadata = [:]
        for count in try await store.sealingStatus().clear { metadata[count.column] = .stringConvertible(count.count) }
        logger.warning(
            "no master key: whoever reads the database or a backup has these in the clear, and can sign tokens",
            metadata: metadata)
    }
}
