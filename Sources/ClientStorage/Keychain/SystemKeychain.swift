// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    import Foundation
    import Security

    /// The device's Keychain: generic passwords of one service, in the data protection Keychain on macOS too.
    public struct SystemKeychain: KeychainItems {
        private let service: String
        private let accessGroup: String?

        /// - Parameters:
        ///   - service: `kSecAttrService`; the app's bundle identifier.
        ///   - accessGroup: `kSecAttrAccessGroup`, which an app shares with its extensions; `nil` for the app's own.
        public init(service: String, accessGroup: String? = nil) {
            self.service = service
            self.accessGroup = accessGroup
        }

        public func copy(_ account: String) -> (status: KeychainStatus, value: [UInt8]?) {
            var query = query(account)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            return (KeychainStatus(rawValue: status), (found as? Data).map { [UInt8]($0) })
        }

        public func update(_ account: String, to value: [UInt8]) -> KeychainStatus {
            let changes: [CFString: Any] = [
                kSecValueData: Data(value), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            return KeychainStatus(rawValue: SecItemUpdate(query(account) as CFDictionary, changes as CFDictionary))
        }

        public func add(_ account: String, _ value: [UInt8]) -> KeychainStatus {
            var item = query(account)
            item[kSecValueData] = Data(value)
            item[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            return KeychainStatus(rawValue: SecItemAdd(item as CFDictionary, nil))
        }

        public func delete(_ account: String?) -> KeychainStatus {
            KeychainStatus(rawValue: SecItemDelete(query(account) as CFDictionary))
        }

        private func query(_ account: String?) -> [CFString: Any] {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrSynchronizable: false,
                kSecUseDataProtectionKeychain: true,
            ]
            if let account { query[kSecAttrAccount] = account }
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query
        }
    }

    /// An entry in the app's own defaults. Not in those of an app group, which outlive the app as the Keychain does.
    public struct DefaultsMarker: InstallationMarker {
        private static let name = "latchkey.installed"

        public init() {}

        public var isSet: Bool { UserDefaults.standard.bool(forKey: Self.name) }
        public func set() { UserDefaults.standard.set(true, forKey: Self.name) }
    }
#endif
