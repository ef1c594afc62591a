// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds the Directory that a request is about, with a short memory: every request asks. Callers share one catalog.
public final class DirectoryCatalog: Sendable {
    /// The name of the Directory that requests reach without naming one.
    public static let defaultName = "default"
    /// How long another process's change may stay unnoticed.
    public static let refreshInterval: TimeSpan = .seconds(5)

    private let byName: SnapshotCache<String, Directory>
    private let byID: SnapshotCache<DirectoryID, Directory>
    private let byDomain: SnapshotCache<String, Directory>

    public init(store: any AccountStoring) {
        byName = SnapshotCache(lifetime: Self.refreshInterval) { name in
            try await store.read { try $0.directory(named: name) }
        }
        byID = SnapshotCache(lifetime: Self.refreshInterval) { id in try await store.read { try $0.directory(id) } }
        byDomain = SnapshotCache(lifetime: Self.refreshInterval) { name in
            try await store.read { tx in try tx.domain(named: name).flatMap { try tx.directory($0.directoryID) } }
        }
    }

    /// The Directory of this name; `nil` when there is none, or the text can't be a name.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and the Directory is not known yet.
    public func directory(named name: String, at now: Instant) async throws -> Directory? {
        guard DirectoryAdministration.isName(name) else { return nil }
        return try await byName.value(for: name, at: now)
    }

    /// As ``directory(named:at:)``, by identifier.
    public func directory(_ id: DirectoryID, at now: Instant) async throws -> Directory? {
        try await byID.value(for: id, at: now)
    }

    /// The Directory whose domain has this name (``DirectoryDomain/name``); `nil` when there is none, or the text can't
    /// be one.
    public func directory(ofDomain name: String, at now: Instant) async throws -> Directory? {
        guard DirectoryDomain.Kind.allCases.contains(where: { DirectoryDomain.isName(name, of: $0) }) else {
            return nil
        }
        return try await byDomain.value(for: name, at: now)
    }

    /// Forgets what was read: the next caller sees the store as it is. To be called after a change in this process.
    public func invalidate() {
        byName.invalidate()
        byID.invalidate()
        byDomain.invalidate()
    }

    /// Another server has changed something: see ``ChangeFollower``.
    func expire() {
        byName.expire()
        byID.expire()
        byDomain.expire()
    }
}
