// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `mfa` of a project and `mfaConfig` of a tenant. `state` and `enabledProviders` are about text messages, and
/// authenticator apps are among `providerConfigs` alone, as there. A kind of which none may be added, while those that
/// there are go on being asked for, is shown as one that is on, and stays so: what is read can be written back without
/// a loss.
enum MultiFactorConfiguration {
    private static let states = ["STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]
    private static let providers = ["PROVIDER_UNSPECIFIED", "PHONE_SMS"]
    private static let providerStates = ["MFA_PROVIDER_STATE_UNSPECIFIED", "DISABLED", "ENABLED", "MANDATORY"]
    private static let intervals: ClosedRange<Int64> = 0...10
    /// What the platform takes where nothing is said.
    private static let usualIntervals: Int64 = 5

    static func field(_ path: String) -> ConfigurationField {
        ConfigurationField(path: path) { settings in
            .object(json(settings.factors))
        } write: { value, settings in
            switch value {
            case nil, .null: set(phone: false, totp: false, in: &settings.factors)
            case .object(let object): try write(Input(object: object), path, to: &settings.factors)
            default: throw WireError.unreadable("Invalid value at '\(path)' (TYPE_MESSAGE)")
            }
        }
    }

    private static func json(_ factors: DirectorySettings.Factors) -> JSONObject {
        var json: JSONObject = ["state": factors.phone == .off ? "DISABLED" : "ENABLED"]
        if factors.phone != .off { json["enabledProviders"] = ["PHONE_SMS"] }
        guard factors.totp != .off else { return json }
        json["providerConfigs"] = [
            [
                "state": "ENABLED",
                "totpProviderConfig": ["adjacentIntervals": .integer(Int64(factors.totpDrift))],
            ]
        ]
        return json
    }

    /// What is left out stays, and what is null is off.
    private static func write(_ given: Input, _ path: String, to factors: inout DirectorySettings.Factors) throws {
        func isNull(_ name: String) -> Bool { given.object[name]?.isNull ?? false }
        let wasOn = factors.phone != .off && !isNull("enabledProviders")
        let hasPhone =
            given.has("enabledProviders")
            ? try given.enumerations("enabledProviders", providers).contains("PHONE_SMS") : wasOn
        var phone = wasOn && hasPhone
        switch try given.enumeration("state", states) {
        case "DISABLED": phone = false
        case "ENABLED":
            guard hasPhone else {
                throw WireError("INVALID_CONFIG", "\(path).state needs PHONE_SMS among \(path).enabledProviders.")
            }
            phone = true
        case "MANDATORY": throw ConfigurationField.unsupported("\(path).state MANDATORY")
        default: if isNull("state") { phone = false }
        }
        var (totp, drift) = (factors.totp != .off, Int64(factors.totpDrift))
        if given.has("providerConfigs") || isNull("providerConfigs") {
            totp = false
            for provider in try given.objects("providerConfigs") {
                guard let config = try provider.members("totpProviderConfig") else { continue }
                switch try provider.enumeration("state", providerStates) {
                case "ENABLED": totp = true
                case "MANDATORY": throw ConfigurationField.unsupported("\(path).providerConfigs.state MANDATORY")
                default: continue
                }
                drift = try config.number("adjacentIntervals") ?? usualIntervals
                guard intervals.contains(drift) else { throw WireError("INVALID_ADJACENT_INTERVAL_RANGE") }
            }
        }
        factors.totpDrift = Int(drift)
        set(phone: phone, totp: totp, in: &factors)
    }

    private static func set(phone: Bool, totp: Bool, in factors: inout DirectorySettings.Factors) {
        if (factors.phone != .off) != phone { factors.phone = phone ? .on : .off }
        if (factors.totp != .off) != totp { factors.totp = totp ? .on : .off }
    }
}
