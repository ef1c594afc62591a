// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A device that keeps a secret of its own for one user, by which it is known at their next sign-in on it (ADR 0072).
/// The secret was made there and never left it.
public struct RememberedDevice: Sendable, Equatable {
    /// Those that a user has at most: the one that was used the longest ago gives way.
    public static let mostOfUser = 100
    /// Characters of a name.
    public static let mostOfName = 1024
    /// Octets of the salt that a device has chosen.
    public static let saltLengths = 1...64

    public var id: RememberedDeviceID
    public var directoryID: DirectoryID
    public var userID: UserID
    /// What its secret is judged by.
    public var verifier: SRPVerifier
    /// Whether it is asked for its secret. One that is not is listed, and spares nobody anything.
    public var isRemembered: Bool
    /// How sure the sessions were of their user in which it was confirmed and remembered: what its secret is worth.
    public var assurance: AssuranceLevel
    public var name: String?
    /// The network that it was last used in.
    public var truncatedAddress: String?
    public var createdAt: Instant
    public var updatedAt: Instant
    /// When a session last began on it.
    public var lastUsedAt: Instant

    public init(
        id: RememberedDeviceID, directoryID: DirectoryID, userID: UserID, verifier: SRPVerifier, isRemembered: Bool,
        assurance: AssuranceLevel, name: String? = nil, truncatedAddress: String? = nil, createdAt: Instant,
        updatedAt: Instant? = nil, lastUsedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.verifier = verifier
        self.isRemembered = isRemembered
        self.assurance = assurance
        self.name = name
        self.truncatedAddress = truncatedAddress
        self.createdAt = createdAt
        self.updatedAt = updatedAt ?? createdAt
        self.lastUsedAt = lastUsedAt ?? createdAt
    }
}
