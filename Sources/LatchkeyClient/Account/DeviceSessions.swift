// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where the user's sessions are listed and ended: whatever service the app has for it (G-6).
public protocol DeviceSessions: Sendable {
    /// All of the user's, in any order.
    func list() async throws(AuthError) -> [DeviceSession]
    /// Ends one, by its ``DeviceSession/id``.
    func revoke(_ id: String) async throws(AuthError)
    /// Ends all but this device's.
    func revokeOthers() async throws(AuthError)
}

/// One session of the user's, on some device.
public struct DeviceSession: Sendable, Hashable, Identifiable {
    public var id: String
    /// What the device is called. `nil` where nobody knows.
    public var device: String?
    /// Its system, as the device said it. `nil` where it did not.
    public var system: String?
    /// The app's version on it.
    public var appVersion: String?
    /// Which app it is, of several that share accounts.
    public var app: String?
    /// The network that it was signed in from, of the address only the part that many share.
    public var network: String?
    /// When it was signed in. `nil` where the service does not say.
    public var signedIn: Instant?
    /// `nil` where the service does not say.
    public var lastUsed: Instant?
    /// Whether it is this device's.
    public var isCurrent: Bool
    /// Whether the device keeps a secret of its own, by which it is known at the next sign-in.
    public var isRemembered: Bool

    /// One line of the list.
    public init(
        id: String, device: String? = nil, system: String? = nil, appVersion: String? = nil, app: String? = nil,
        network: String? = nil, signedIn: Instant? = nil, lastUsed: Instant? = nil, isCurrent: Bool = false,
        isRemembered: Bool = false
    ) {
        self.id = id
        self.device = device
        self.system = system
        self.appVersion = appVersion
        self.app = app
        self.network = network
        self.signedIn = signedIn
        self.lastUsed = lastUsed
        self.isCurrent = isCurrent
        self.isRemembered = isRemembered
    }

    /// What stands in its line.
    public var label: UserMessage? {
        isCurrent ? UserMessage(.sessionCurrent) : device == nil ? UserMessage(.sessionUnknown) : nil
    }
}
