// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Keeps a database that has served production out of development mode, which shows its mail and secrets and believes
/// any administrator.
public struct DatabaseUse: Sendable {
    private let store: any AccountStoring

    public init(_ store: any AccountStoring) {
        self.store = store
    }

    /// Marks the database as production's from its first such start on. There is no way back.
    public func beginProduction(at now: Instant) async throws {
        try await store.write { tx in
            if try tx.mark(.production) == nil { try tx.set(.production, at: now) }
        }
    }

    /// - Throws: ``ProductionDatabase``.
    public func beginDevelopment() async throws {
        if let since = try await store.read({ try $0.mark(.production) }) { throw ProductionDatabase(since: since) }
    }
}

/// A database that was used in production was to be opened in development mode.
public struct ProductionDatabase: Error, Sendable, Hashable, CustomStringConvertible {
    /// When it first was.
    public let since: Instant

    public var description: String {
        "--dev refuses to run: the database has been used in production since \(Instant(seconds: since.seconds).rfc3339)"
    }
}
