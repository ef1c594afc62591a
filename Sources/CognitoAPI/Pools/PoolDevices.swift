// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `DeviceConfiguration` of a pool, which is a setting of the Directory itself: any member of it has devices tracked.
enum PoolDevices {
    private static let (sparing, asking) = ("ChallengeRequiredOnNewDevice", "DeviceOnlyRememberedOnUserPrompt")

    /// What is not given is off, as after each update of a pool; in a Directory that was made otherwise it stays.
    ///
    /// - Throws: `SerializationException` for another type.
    static func read(
        _ input: Input, of pool: PoolSettings, into settings: inout DirectorySettings
    ) throws(WireError) {
        let given = try input.members("DeviceConfiguration").map { Input($0) }
        if given != nil || pool.isDeclared { settings.devices = DirectorySettings.Devices() }
        guard let configuration = given else { return }
        let (spares, asks) = (try configuration.flag(sparing), try configuration.flag(asking))
        settings.devices.tracked = spares != nil || asks != nil
        settings.devices.spareFactor = spares ?? false
        settings.devices.rememberUnasked = !(asks ?? false)
    }

    /// `nil` where no devices are tracked.
    static func json(of settings: DirectorySettings) -> JSONObject? {
        guard settings.devices.tracked else { return nil }
        return [
            sparing: .bool(settings.devices.spareFactor), asking: .bool(!settings.devices.rememberUnasked),
        ]
    }
}
