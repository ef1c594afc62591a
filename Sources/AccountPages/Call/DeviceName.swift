// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a list of sessions calls a device: as it named itself, or what its browser says of browser and system.
struct DeviceName: Sendable {
    /// `nil` where nothing is known of it.
    let text: String?

    init(_ device: DeviceMetadata) {
        if let name = device.name {
            text = [name, device.operatingSystem].compactMap(\.self).joined(separator: ", ")
        } else {
            text = device.knownName ?? device.userAgent.map { String($0.prefix { $0 != "/" && $0 != " " }) }
        }
    }
}
