// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// How this dialect calls remembered devices: the region and the device's identifier.
enum DeviceKey {
    static let member = Member("DeviceKey", 1...55, .deviceKey)

    static func text(of id: RememberedDeviceID, region: String) -> String { region + "_" + id.rawValue }

    /// What the key ends in; it need not be anybody's.
    static func id(_ text: String) -> RememberedDeviceID {
        RememberedDeviceID(text.split(separator: "_").last.map(String.init) ?? "")
    }
}

extension DialectCall {
    /// The call, by a client that keeps a secret for the device that it is on: the one of this key, where it names one.
    ///
    /// - Throws: `InvalidParameterException` for a text that is no key.
    func onDevice(_ key: String?) throws(WireError) -> DialectCall {
        var call = self
        call.flow.tracksDevices = true
        guard let key, !key.isEmpty, directory.settings.devices.tracked else { return call }
        try DeviceKey.member.check(key)
        call.flow.namedDevice = DeviceKey.id(key)
        return call
    }

    /// `DeviceGroupKey`: what a device's secret is hashed with, as a password is with the pool's name. It is one for
    /// all devices of the pool.
    var deviceGroupKey: String { "-" + directory.id.rawValue }

    /// `NewDeviceMetadataType`
    func newDevice(_ id: RememberedDeviceID) -> JSONObject {
        [
            "DeviceKey": .string(DeviceKey.text(of: id, region: dialect.region)),
            "DeviceGroupKey": .string(deviceGroupKey),
        ]
    }
}

extension Member.Pattern {
    /// Digits behind the last underscore, hexadecimal or not, as the service's model has it.
    static let deviceKey = Self(
        text: "[\\w-]+_[0-9a-f-]+", accepts: { isWord($0) || $0 == "-" },
        acceptsWhole: { text in
            guard let bar = text.lastIndex(of: "_"), bar != text.startIndex else { return false }
            let key = text[text.index(after: bar)...]
            return !key.isEmpty && key.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) || $0 == 45 }
        })
}
