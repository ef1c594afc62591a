// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The device that a pool which tracks devices has made of a sign-in. It renews the sign-in's session only for a device
/// that has confirmed itself (`ConfirmDevice`) and is named in every refresh.
struct PoolDevice: Sendable, Hashable {
    /// `DeviceKey`: how the pool calls the device.
    var key: String
    /// `DeviceGroupKey`, for as long as the device is not confirmed.
    var group: String?

    init(key: String, group: String?) {
        self.key = key
        self.group = group
    }

    /// - Parameter result: an `AuthenticationResult`.
    /// - Returns: `nil` for a pool that tracks none, and for a sign-in on a device that it knows.
    init?(of result: JSONObject) {
        let device = result["NewDeviceMetadata"]?.objectValue
        guard let key = Self.name(device?["DeviceKey"]), let group = Self.name(device?["DeviceGroupKey"]) else {
            return nil
        }
        self.init(key: key, group: group)
    }

    private static let (keyName, groupName) = ("device", "device.group")

    /// - Parameter attachments: of a session's tokens.
    init?(in attachments: [String: String]) {
        guard let key = attachments[Self.keyName] else { return nil }
        self.init(key: key, group: attachments[Self.groupName])
    }

    func attach(to attachments: inout [String: String]) {
        attachments[Self.keyName] = key
        attachments[Self.groupName] = group
    }

    /// A session that is on no device any more.
    static func detach(from attachments: inout [String: String]) {
        attachments[keyName] = nil
        attachments[groupName] = nil
    }

    private static func name(_ value: JSONValue?) -> String? {
        value?.stringValue.flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
    }
}
