// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Writes every user of a Directory as JSON lines, password hashes included. The output is a secret.
public struct UserExport: Sendable {
    private static let page = UserPage.readAtOnce

    private let store: any AccountStoring

    public init(store: any AccountStoring) {
        self.store = store
    }

    /// Calls `write` with each line, without its line break, in order of the users' identifiers. Soft-deleted users are
    /// left out. Users that are made meanwhile may or may not be among them; memory does not grow with their number.
    ///
    /// - Returns: how many users were written.
    /// - Throws: what `write` throws, `AuthErrorCode.unavailable`.
    public func run(from directory: Directory, write: (String) async throws -> Void) async throws -> Int {
        var last: UserID?
        var count = 0
        while true {
            try Task.checkCancellation()
            let after = last
            let (lines, end, isLast) = try await store.scan(in: directory.id) { tx in
                let users = try tx.users(in: directory.id, after: after, limit: Self.page)
                let ids = users.map(\.id)
                let identities = try tx.identities(of: ids, in: directory.id)
                let groups = try tx.groups(of: ids, in: directory.id)
                let profiles = try tx.profiles(of: ids, in: directory.id)
                let factors = try tx.factors(of: ids, in: directory.id)
                let lines = users.map { user in
                    TransferRecord(
                        user: user, identities: LocalIdentities.completed(identities[user.id] ?? [], of: user),
                        groups: (groups[user.id] ?? []).map(\.name), profile: profiles[user.id],
                        factors: factors[user.id] ?? []
                    ).line
                }
                return (lines, users.last?.id, users.count < Self.page)
            }
            for line in lines { try await write(line) }
            count += lines.count
            guard !isLast, let end else { return count }
            last = end
        }
    }
}
