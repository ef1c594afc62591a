// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where numbered pages of users have begun and ended. Who asks for one after the other would else have all that come
/// before passed again with each.
///
/// Lost with the process, and never wrong: a place is good for as long as ``AccountModel/UserTally/changes`` says that
/// the same users are before it.
final class PageStarts: Sendable {
    struct Order: Hashable, Sendable {
        let directory: DirectoryID
        let oldestFirst: Bool
    }

    private struct Known {
        var changes: Int64
        /// The latest last.
        var starts: [(offset: Int, position: UserPosition)] = []
    }

    private static let mostOrders = 64
    private static let mostStarts = 32

    private let known = Mutex<[Order: Known]>([:])

    /// The last known place at which no more than `offset` users have passed.
    func nearest(to offset: Int, in order: Order, changes: Int64) -> (offset: Int, position: UserPosition)? {
        known.withLock { known in
            guard let places = known[order], places.changes == changes else { return nil }
            return places.starts.filter { $0.offset <= offset }.max { $0.offset < $1.offset }
        }
    }

    func remember(_ position: UserPosition, at offset: Int, in order: Order, changes: Int64) {
        known.withLock { known in
            var places = known[order] ?? Known(changes: changes)
            // Of two that were read at once the older one knows less.
            guard places.changes <= changes else { return }
            if places.changes < changes { places = Known(changes: changes) }
            places.starts.removeAll { $0.offset == offset }
            if places.starts.count >= Self.mostStarts { places.starts.removeFirst() }
            places.starts.append((offset, position))
            if known[order] == nil, known.count >= Self.mostOrders { known.removeAll(keepingCapacity: true) }
            known[order] = places
        }
    }
}
