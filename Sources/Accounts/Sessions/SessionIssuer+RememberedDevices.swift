// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Sessions of clients that keep a secret for the device that they are on (ADR 0072).
extension SessionIssuer {
    /// The device that a session begins on: the one that its holder has named, which is written down as used, or else a
    /// new one, which counts for nothing until it has confirmed itself. `nil` where devices are not tracked.
    ///
    /// - Throws: ``AuthErrorCode/deviceNotFound``; nothing of the sign-in is then kept, so that it can be tried as from
    ///   a new device.
    func rememberedDevice(of user: User, _ proof: SignInProof) throws -> RememberedDeviceID? {
        guard step.call.tracksDevices, step.settings.devices.tracked else { return nil }
        guard let named = proof.device else { return step.identifier() }
        var device = try step.tx.rememberedDevice(named, of: user)
        device.lastUsedAt = step.now.orLater(device.lastUsedAt)
        device.truncatedAddress = step.call.device.truncatedAddress
        // With a factor that was shown on it beside its secret, it is worth as much as one that was confirmed so.
        if proof.includes(.rememberedDevice) { device.assurance = max(device.assurance, proof.assurance) }
        try step.tx.update(device)
        return named
    }

    /// Whether whoever would renew a session is on the device that it is of, as far as they say.
    static func isOnItsDevice(_ session: Session, _ call: CallContext, _ tx: any StoreReading) throws -> Bool {
        guard call.settings.devices.tracked, let device = session.rememberedDevice else { return true }
        return try call.namedDevice == device && tx.rememberedDevice(device, in: call.directory.id) != nil
    }
}
