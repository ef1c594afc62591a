// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `GetUserPoolMfaConfig`, `SetUserPoolMfaConfig`: what a pool says of features that it has not got. Tools that set pools up read it back after each change.
enum PoolFeatures {
    private static let off: JSONObject = ["MfaConfiguration": "OFF"]

    static func mfa(_: DialectCall) throws -> JSONObject { off }

    /// Takes that it is off.
    ///
    /// - Throws: `FeatureUnavailableInTierException` for anything else.
    static func setMFA(_ call: DialectCall) throws -> JSONObject {
        let state = try call.input.choice("MfaConfiguration", from: ["OFF", "ON", "OPTIONAL"]) ?? "OFF"
        let members = [
            "SmsMfaConfiguration", "SoftwareTokenMfaConfiguration", "EmailMfaConfiguration", "WebAuthnConfiguration",
        ]
        for name in members {
            let asks = try call.input.members(name).map { $0 != ["Enabled": false] && !$0.isEmpty } ?? false
            guard !asks else { throw unavailable(name) }
        }
        guard state == "OFF" else { throw unavailable("MfaConfiguration") }
        return off
    }

    private static func unavailable(_ name: String) -> WireError {
        WireError("FeatureUnavailableInTierException", "\(name) is not available for this user pool.")
    }
}
