// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds the client that a request names, with a short memory. Callers share one catalog.
public final class ClientCatalog: Sendable {
    /// How long another process's change may stay unnoticed.
    public static let refreshInterval: TimeSpan = .seconds(5)

    private let byID: SnapshotCache<ClientID, Client>

    public init(store: any AccountStoring) {
        byID = SnapshotCache(lifetime: Self.refreshInterval) { id in try await store.read { try $0.client(id) } }
    }

    /// The client of this identifier, in whichever Directory; `nil` when there is none, or the text can't be one.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and the client is not known yet.
    public func client(_ id: ClientID, at now: Instant) async throws -> Client? {
        guard ClientAdministration.isIdentifier(id.rawValue) else { return nil }
        return try await byID.value(for: id, at: now)
    }

    /// Forgets what was read: the next caller sees the store as it is. To be called after a change in this process.
    public func invalidate() { byID.invalidate() }

    /// Another server has changed something: see ``ChangeFollower``.
    func expire() { byID.expire() }
}
