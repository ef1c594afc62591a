// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A pool that tracks devices gives each sign-in a new one, and renews its session only for a device that has confirmed
/// itself (`ConfirmDevice`) and is named in every refresh.
///
/// The password that a device makes up for it is kept nowhere: it would spare a second factor (`DEVICE_SRP_AUTH`), which
/// this library asks for at each sign-in.
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
    /// - Returns: `nil` for a pool that tracks none.
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

    private static func name(_ value: JSONValue?) -> String? {
        value?.stringValue.flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
    }
}

extension CognitoBackend {
    /// Confirms a device that is not confirmed yet. Where that can't be done now the session lives all the same, and the
    /// next refresh tries it once more.
    ///
    /// - Returns: the device as it is afterwards.
    func confirmed(_ device: PoolDevice, with accessToken: Secret<String>) async -> PoolDevice {
        guard let group = device.group else { return device }
        let password = Secret(Base64.encode(random.bytes(40)))
        let salt = random.bytes(16)
        let verifier = SRPClient.verifier(realm: group, identity: device.key, password: password, salt: salt)
        do {
            _ = try await api.call(
                "ConfirmDevice",
                [
                    "AccessToken": .string(accessToken.reveal()), "DeviceKey": .string(device.key),
                    "DeviceSecretVerifierConfig": [
                        "PasswordVerifier": .string(Base64.encode(SRPNumber.signed(verifier))),
                        "Salt": .string(Base64.encode(SRPNumber.signed(salt))),
                    ],
                ], for: .account)
        } catch  where error.code != .conflict {
            return device
        } catch {
            // Confirmed already: the answer to an earlier try was lost.
        }
        return PoolDevice(key: device.key, group: nil)
    }
}
