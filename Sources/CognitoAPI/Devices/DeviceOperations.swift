// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServerKit

extension Operation {
    /// Devices that clients keep a secret for, in pools with a `DeviceConfiguration`.
    static let devices: [Operation] = [
        Operation("ConfirmDevice", .user, limit: .by(.user), DeviceEndpoints.confirm),
        Operation("GetDevice", .user, limit: .unlimited(.signedIn), DeviceEndpoints.get),
        Operation("ListDevices", .user, limit: .unlimited(.signedIn), DeviceEndpoints.list),
        Operation("UpdateDeviceStatus", .user, limit: .by(.user), DeviceEndpoints.update),
        Operation("ForgetDevice", .user, limit: .by(.user), DeviceEndpoints.forget),
        Operation("AdminGetDevice", .pool, DeviceEndpoints.get),
        Operation("AdminListDevices", .pool, DeviceEndpoints.list),
        Operation("AdminUpdateDeviceStatus", .pool, DeviceEndpoints.update),
        Operation("AdminForgetDevice", .pool, DeviceEndpoints.forget),
    ]
}
