// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension FlowStep {
    /// What the user's remembered devices stand in for ends: on each of them a factor is shown once more before it is
    /// spared again (ADR 0072).
    ///
    /// - Parameter spared: one that is as it was.
    func lowerDevices(of user: UserID, except spared: RememberedDeviceID? = nil) throws {
        for device in try tx.rememberedDevices(of: user, in: directory)
        where device.assurance > .aal1 && device.id != spared {
            var lowered = device
            lowered.assurance = .aal1
            try tx.update(lowered)
        }
    }
}
