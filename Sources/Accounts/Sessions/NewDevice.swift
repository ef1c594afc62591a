// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whether somebody signs in from a device that the account was never used on, by what their sessions say, ended ones
/// too.
///
/// A device that names itself is known by its name and system, wherever it is; a browser, of which there are many
/// alike, by its kind and its system in a network that it was used in. Versions don't count: programs are renewed.
struct NewDevice {
    /// Sessions that are looked at: those of a year, mostly.
    private static let most = 200

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// Asks nothing of the store where nobody is told. Not of the first sign-in ever: there is no other device.
    func isNew(to user: User) throws -> Bool {
        guard step.settings.sessions.newDeviceMail, user.lastSignInAt != nil else { return false }
        let device = Likeness(step.call.device)
        return try !step.tx.devices(of: user.id, in: user.directoryID, limit: Self.most)
            .contains { Likeness($0) == device }
    }

    private struct Likeness: Equatable {
        let name: String?
        let kind: String?
        let network: String?

        init(_ device: DeviceMetadata) {
            name = device.name
            if device.name != nil {
                kind = device.operatingSystem.map { String($0.prefix { !$0.isNumber }) }
                network = nil
            } else {
                kind = device.knownName ?? device.userAgent.map { String($0.prefix { $0 != "/" && $0 != " " }) }
                network = device.truncatedAddress
            }
        }
    }
}
