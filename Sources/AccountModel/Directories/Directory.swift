// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An isolated set of users with its own keys, clients, groups and policies: the aggregate that everything else
/// belongs to. Nothing of one Directory can be seen or changed through another.
public struct Directory: Sendable {
    public var id: DirectoryID
    /// A short name for the command line and the URL: lower-case letters, digits and hyphens. Unique in the store.
    public var name: String
    private var boxed: BoxedSettings
    /// 32 random bytes that key the MACs of this Directory's refresh tokens, codes and cursors.
    public var tokenKey: Secret<[UInt8]>
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public init(
        id: DirectoryID, name: String, settings: DirectorySettings, tokenKey: Secret<[UInt8]>, createdAt: Instant,
        updatedAt: Instant, version: Int64 = 1
    ) {
        self.id = id
        self.name = name
        boxed = BoxedSettings(settings)
        self.tokenKey = tokenKey
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }

    public var settings: DirectorySettings {
        // Lends them: a getter would copy all of them to whoever asks for one.
        _read { yield boxed.value }
        set { boxed = BoxedSettings(newValue) }
    }
}

/// Every call carries its Directory through all that it does. Settings are some forty values with storage of their own,
/// and a copy of them is as many counts raised; of this it is one.
private final class BoxedSettings: Sendable {
    let value: DirectorySettings

    init(_ value: DirectorySettings) {
        self.value = value
    }
}
