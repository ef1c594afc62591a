// SPDX-License-Identifier: Apache-2.0

/// The four calls of Apple's Keychain Services that a store needs, for generic passwords of one service, so that what
/// is made of their answers is tested where there is no Keychain.
public protocol KeychainItems: Sendable {
    /// `SecItemCopyMatching` for one account's data.
    func copy(_ account: String) -> (status: KeychainStatus, value: [UInt8]?)
    /// `SecItemUpdate`: replaces the data of an item that is there, at once.
    func update(_ account: String, to value: [UInt8]) -> KeychainStatus
    /// `SecItemAdd`.
    func add(_ account: String, _ value: [UInt8]) -> KeychainStatus
    /// `SecItemDelete` for one account; `nil` for all of the service.
    func delete(_ account: String?) -> KeychainStatus
}

/// An `OSStatus` of Keychain Services (`SecBase.h`).
public struct KeychainStatus: RawRepresentable, Sendable, Hashable {
    public let rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// `errSecSuccess`.
    public static let success = Self(rawValue: 0)
    /// `errSecDiskFull`.
    public static let diskFull = Self(rawValue: -34)
    /// `errSecUserCanceled`.
    public static let userCanceled = Self(rawValue: -128)
    /// `errSecAuthFailed`.
    public static let authFailed = Self(rawValue: -25293)
    /// `errSecDuplicateItem`.
    public static let duplicateItem = Self(rawValue: -25299)
    /// `errSecItemNotFound`.
    public static let itemNotFound = Self(rawValue: -25300)
    /// `errSecInteractionNotAllowed`: before the first unlock.
    public static let interactionNotAllowed = Self(rawValue: -25308)
}
