// SPDX-License-Identifier: Apache-2.0

/// Users of one Directory and their identities, on their way into a store: see ``AccountStoring/prepared(_:with:)``.
public struct PreparedUsers: Sendable {
    public let users: [User]
    public let identities: [Identity]
    /// What the store has made of them beforehand; nobody else's business.
    package var encoded: (any Sendable)?

    public init(_ users: [User], with identities: [Identity]) {
        self.users = users
        self.identities = identities
    }
}
