// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What a device that has no browser has asked for, and waits for its user to allow in a browser elsewhere (RFC 8628).
public struct DeviceAuthorization: Sendable, Hashable {
    public var id: DeviceAuthorizationID
    public var directoryID: DirectoryID
    public var clientID: ClientID
    /// SHA-256 of the code that the device asks by.
    public var deviceHash: [UInt8]
    /// ``DeviceUserCode/hash(under:)`` of the code that the user types.
    public var userHash: [UInt8]
    public var scopes: [String]
    /// Whom access tokens may be for (RFC 8707).
    public var resources: [String]
    /// How long the device waits between two questions, in seconds: longer with each that came too early (section 3.5).
    public var interval: Int64
    public var polledAt: Instant?
    /// The browser's session in which its user has allowed it.
    public var allowedIn: SessionID?
    public var isDenied: Bool
    public var createdAt: Instant
    public var expiresAt: Instant
    /// When the device was given its tokens: once.
    public var usedAt: Instant?

    public init(
        id: DeviceAuthorizationID, directoryID: DirectoryID, clientID: ClientID, deviceHash: [UInt8],
        userHash: [UInt8], scopes: [String], resources: [String] = [], interval: Int64, polledAt: Instant? = nil,
        allowedIn: SessionID? = nil, isDenied: Bool = false, createdAt: Instant, expiresAt: Instant,
        usedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.clientID = clientID
        self.deviceHash = deviceHash
        self.userHash = userHash
        self.scopes = scopes
        self.resources = resources
        self.interval = interval
        self.polledAt = polledAt
        self.allowedIn = allowedIn
        self.isDenied = isDenied
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }

    /// Whether nobody has said yes or no.
    public var isPending: Bool { allowedIn == nil && !isDenied }

    /// By which the store knows a device's code: random enough to need no key.
    public static func hash(of deviceCode: String) -> [UInt8] { Array(SHA256.hash(data: Array(deviceCode.utf8))) }
}
