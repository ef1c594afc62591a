// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What pages show of the identity providers that a Directory's users may come by, with a short memory. Callers share
/// one catalog. It is no word on whether somebody may: that is asked of the store when they do.
public final class IdentityProviderCatalog: Sendable {
    /// A way in, as it is shown.
    public struct Offer: Sendable, Hashable {
        /// ``IdentityProvider/name``.
        public var name: String
        public var label: String
    }

    /// How long another process's change may stay unnoticed.
    public static let refreshInterval: TimeSpan = .seconds(5)

    private let offers: SnapshotCache<DirectoryID, [Offer]>

    init(_ ports: AccountPorts) {
        offers = SnapshotCache(lifetime: Self.refreshInterval) { directory in
            try await IdentityProviders(ports).enabled(in: directory).map { Offer(name: $0.name, label: $0.label) }
        }
    }

    /// In order of their names.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and the Directory is not known yet.
    public func offers(in directory: DirectoryID, at now: Instant) async throws -> [Offer] {
        try await offers.value(for: directory, at: now) ?? []
    }

    /// Forgets what was read: the next caller sees the store as it is. To be called after a change in this process.
    public func invalidate() { offers.invalidate() }

    /// Another server has changed something: see ``ChangeFollower``.
    func expire() { offers.expire() }
}
