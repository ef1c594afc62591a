// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app is registered with at the provider: the same for everybody, since it guards nothing but test data.
public struct Registration: Sendable {
    /// For redirects.
    public var clientID: String
    /// Of the same app on a phone.
    public var nativeClientID: String
    /// Of Apple's there is none: a client proves itself by a key of its team's.
    public var secret: Secret<String>

    /// Apple's names for the team that the app is of, and for its key.
    public static let appleTeamID = "LATCHKEY01"
    public static let appleKeyID = "DEVKEY0001"

    init(_ vendor: Vendor) {
        clientID = "latchkey-\(vendor.rawValue)"
        nativeClientID = "latchkey-\(vendor.rawValue)-phone"
        secret = Secret("secret-of-latchkey-\(vendor.rawValue)")
    }

    func knows(_ clientID: String) -> Bool { clientID == self.clientID || clientID == nativeClientID }
}

extension Vendor {
    public var registration: Registration { Registration(self) }
}
