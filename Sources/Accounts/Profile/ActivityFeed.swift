// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A user's activities, newest first, a page at a time.
public struct ActivityFeed: Sendable {
    public static let defaultLimit = 20
    public static let maximumLimit = 100

    public struct Page: Sendable {
        public var activities: [Activity]
        /// To be sent with the next request; `nil` on the last page.
        public var nextCursor: String?
    }

    private let store: any AccountStoring

    public init(_ ports: AccountPorts) {
        store = ports.store
    }

    /// One page.
    ///
    /// Activities that are added while a client pages are not shown twice, and none is left out: a page starts after
    /// the last one's last activity, not at a number.
    ///
    /// - Parameters:
    ///   - cursor: of the page before, made for the same user and filter.
    ///   - limit: from 1; ``defaultLimit`` when `nil`, and never more than ``maximumLimit``.
    /// - Throws: `AuthErrorCode.invalidRequest` with the field `cursor`, `limit`, `type` or `until`.
    public func page(
        of user: UserID, matching filter: ActivityFilter = ActivityFilter(), cursor: String? = nil,
        limit: Int? = nil, in directory: Directory
    ) async throws -> Page {
        let limit = min(limit ?? Self.defaultLimit, Self.maximumLimit)
        guard limit >= 1 else { throw AuthError(.invalidRequest, reason: "at least 1", field: "limit") }
        if let type = filter.type, !(1...100).contains(type.utf8.count) {
            throw AuthError(.invalidRequest, reason: "1 to 100 bytes", field: "type")
        }
        if let from = filter.from, let until = filter.until, until < from {
            throw AuthError(.invalidRequest, reason: "until lies before from", field: "until")
        }
        var after: ActivityPosition?
        if let cursor {
            after = try ActivityCursor(cursor, user: user, filter: filter, directory: directory).position
        }
        let start = after
        // One more than asked for tells whether there is another page.
        var activities = try await store.read { tx in
            try tx.activities(of: user, in: directory.id, matching: filter, after: start, limit: limit + 1)
        }
        guard activities.count > limit else { return Page(activities: activities, nextCursor: nil) }
        activities.removeLast(activities.count - limit)
        let next = activities.last.map {
            ActivityCursor(ActivityPosition(at: $0.at, id: $0.id))
                .encoded(user: user, filter: filter, directory: directory)
        }
        return Page(activities: activities, nextCursor: next)
    }
}
