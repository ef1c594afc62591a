// SPDX-License-Identifier: Apache-2.0

/// Where a page of users begins: behind what was looked at last. Only the store that made it reads it; one that
/// somebody made up leads to some other place in the same list.
public struct UserPosition: Sendable, Hashable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}

/// Users that match a filter, and where to go on.
public struct UserPage: Sendable {
    /// How many users a page is looked for among where no index leads to them.
    public static let mostLookedAt = 5_000
    /// How many users one turn of a list reads, with whatever is shown of them: some milliseconds.
    public static let readAtOnce = 200

    public var users: [User]
    /// Where the next page begins; `nil` where there is none.
    public var next: UserPosition?

    public init(users: [User], next: UserPosition?) {
        self.users = users
        self.next = next
    }
}
