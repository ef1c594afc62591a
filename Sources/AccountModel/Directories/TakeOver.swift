// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How far the accounts of another server's database have come into a Directory, once and for all. It is written in the
/// transaction of each of its turns, so that one that was cut short goes on where it was.
public struct TakeOver: Sendable, Hashable {
    /// What is counted, as it is stored.
    public enum Kind: String, Sendable, CaseIterable {
        case users
        case identities
        case factors
        case sessions
        /// Refresh tokens by which a session goes on.
        case tokens
    }

    /// How many of each kind.
    public struct Counts: Sendable, Hashable {
        private var numbers: [Kind: Int] = [:]

        public init(_ numbers: [Kind: Int] = [:]) {
            self.numbers = numbers.filter { $0.value != 0 }
        }

        public subscript(kind: Kind) -> Int {
            get { numbers[kind] ?? 0 }
            set { numbers[kind] = newValue == 0 ? nil : newValue }
        }

        public static func + (left: Counts, right: Counts) -> Counts {
            Counts(left.numbers.merging(right.numbers, uniquingKeysWith: +))
        }
    }

    /// Which of the database's schemas it is.
    public var source: String
    public var directoryID: DirectoryID
    /// What the source was when it began, in the source's own words: whatever has changed it since was somebody else.
    public var moment: String
    /// The identifier of the last user who came; `nil` before the first.
    public var position: String?
    /// What has come so far.
    public var taken: Counts
    /// What stays where it is, since nothing here is like it.
    public var left: Counts
    public var startedAt: Instant
    /// When everything was there, compared and found to be the same; `nil` until then.
    public var finishedAt: Instant?

    public init(
        source: String, directoryID: DirectoryID, moment: String, position: String? = nil, taken: Counts = Counts(),
        left: Counts = Counts(), startedAt: Instant, finishedAt: Instant? = nil
    ) {
        self.source = source
        self.directoryID = directoryID
        self.moment = moment
        self.position = position
        self.taken = taken
        self.left = left
        self.startedAt = startedAt
        self.finishedAt = finishedAt
    }
}
