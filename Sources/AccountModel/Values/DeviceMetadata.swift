// SPDX-License-Identifier: Apache-2.0

/// What a sign-in says of the device it came from. Shown to the user in the list of sessions; never used to decide.
public struct DeviceMetadata: Sendable, Hashable {
    public var name: String?
    public var operatingSystem: String?
    public var appVersion: String?
    public var userAgent: String?
    /// The client's address with the host part cleared (/24 for IPv4, /48 for IPv6): enough to recognise a place,
    /// not enough to find a person.
    public var truncatedAddress: String?

    public init(
        name: String? = nil, operatingSystem: String? = nil, appVersion: String? = nil, userAgent: String? = nil,
        truncatedAddress: String? = nil
    ) {
        self.name = name
        self.operatingSystem = operatingSystem
        self.appVersion = appVersion
        self.userAgent = userAgent
        self.truncatedAddress = truncatedAddress
    }
}
