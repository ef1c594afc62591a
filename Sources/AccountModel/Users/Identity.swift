// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One way a user is known: a provider and the subject it gave them. Identity is this pair, never the email alone.
public struct Identity: Sendable {
    /// The providers of the identities that follow from a user's own address and number.
    public static let localProviders: Set<String> = ["email", "phone"]

    public var id: IdentityID
    public var directoryID: DirectoryID
    public var userID: UserID
    /// `email`, `phone`, or the name of a federated provider.
    public var provider: String
    /// The provider's own name for the user. For `email` and `phone` it is the user's identifier here.
    public var subject: String
    /// What the provider said of the user.
    public var data: JSONObject
    public var lastSignInAt: Instant?
    public var createdAt: Instant
    public var updatedAt: Instant
    /// What can't be read of the stored row.
    public var damage: [StoredDamage] = []

    public init(
        id: IdentityID, directoryID: DirectoryID, userID: UserID, provider: String, subject: String, data: JSONObject,
        lastSignInAt: Instant? = nil, createdAt: Instant, updatedAt: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.provider = provider
        self.subject = subject
        self.data = data
        self.lastSignInAt = lastSignInAt
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
