// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// An isolated set of users with its own keys, clients, groups and policies: the aggregate that everything else
/// belongs to. Nothing of one Directory can be seen or changed through another.
///
/// Every call carries its Directory through all that it does. It is some fifty values with storage of their own, and a
/// copy of them is as many counts raised, on lines of memory that all threads share; of this it is one.
public struct Directory: Sendable {
    @usableFromInline
    struct Values: Sendable {
        @usableFromInline var id: DirectoryID
        @usableFromInline var name: String
        @usableFromInline var settings: DirectorySettings
        @usableFromInline var tokenKey: Secret<[UInt8]>
        @usableFromInline var createdAt: Instant
        @usableFromInline var updatedAt: Instant
        @usableFromInline var version: Int64
    }

    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let values: Values
        /// What has taken in ``Directory/tokenKey``, which is half the work of a short text's code.
        let keyed: Secret<HMAC<SHA256>>

        init(_ values: Values) {
            self.values = values
            keyed = Secret(HMAC(key: SymmetricKey(data: values.tokenKey.reveal())))
        }
    }

    @usableFromInline var box: Box

    public init(
        id: DirectoryID, name: String, settings: DirectorySettings, tokenKey: Secret<[UInt8]>, createdAt: Instant,
        updatedAt: Instant, version: Int64 = 1
    ) {
        box = Box(
            Values(
                id: id, name: name, settings: settings, tokenKey: tokenKey, createdAt: createdAt, updatedAt: updatedAt,
                version: version))
    }

    @inlinable public var id: DirectoryID {
        get { box.values.id }
        set { change { $0.id = newValue } }
    }

    /// A short name for the command line and the URL: lower-case letters, digits and hyphens. Unique in the store.
    @inlinable public var name: String {
        get { box.values.name }
        set { change { $0.name = newValue } }
    }

    @inlinable public var settings: DirectorySettings {
        // Lends them: a getter would copy all of them to whoever asks for one.
        _read { yield box.values.settings }
        set { change { $0.settings = newValue } }
    }

    /// 32 random bytes that key the MACs of this Directory's refresh tokens, codes and cursors.
    @inlinable public var tokenKey: Secret<[UInt8]> {
        get { box.values.tokenKey }
        set { change { $0.tokenKey = newValue } }
    }

    /// HMAC-SHA256 under ``tokenKey``: 32 octets.
    package func authenticationCode(of message: [UInt8]) -> [UInt8] {
        var code = box.keyed.reveal()
        code.update(data: message)
        return Array(code.finalize())
    }

    @inlinable public var createdAt: Instant {
        get { box.values.createdAt }
        set { change { $0.createdAt = newValue } }
    }

    @inlinable public var updatedAt: Instant {
        get { box.values.updatedAt }
        set { change { $0.updatedAt = newValue } }
    }

    /// Raised by each update; an update that names an older one is refused.
    @inlinable public var version: Int64 {
        get { box.values.version }
        set { change { $0.version = newValue } }
    }

    /// Whether the two are copies of one value, so that what was made of one is good for the other. Two that were read
    /// one after the other are not, however alike they are.
    public func isCopy(of other: Directory) -> Bool { box === other.box }

    @usableFromInline
    mutating func change(_ change: (inout Values) -> Void) {
        var values = box.values
        change(&values)
        box = Box(values)
    }
}
