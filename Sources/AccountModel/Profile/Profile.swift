// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What the app shows of a user. Kept apart from the account: changing it changes nothing about signing in.
public struct Profile: Sendable, Equatable {
    public var userID: UserID
    public var directoryID: DirectoryID
    public var name: String?
    /// An `https` URL.
    public var picture: String?
    /// A BCP 47 language tag.
    public var locale: String?
    public var updatedAt: Instant

    public init(
        userID: UserID, directoryID: DirectoryID, name: String? = nil, picture: String? = nil, locale: String? = nil,
        updatedAt: Instant
    ) {
        self.userID = userID
        self.directoryID = directoryID
        self.name = name
        self.picture = picture
        self.locale = locale
        self.updatedAt = updatedAt
    }
}

/// Something a user did in the app.
public struct Activity: Sendable, Equatable {
    public var id: ActivityID
    public var directoryID: DirectoryID
    public var userID: UserID
    /// Such as `yoga.session`.
    public var type: String
    public var description: String
    public var durationSeconds: Int64
    public var at: Instant

    public init(
        id: ActivityID, directoryID: DirectoryID, userID: UserID, type: String, description: String,
        durationSeconds: Int64, at: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.type = type
        self.description = description
        self.durationSeconds = durationSeconds
        self.at = at
    }
}
