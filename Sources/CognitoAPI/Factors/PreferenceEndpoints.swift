// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `SetUserMFAPreference` and `SetUserSettings`, each by the user and by an administrator; `AdminDeleteSoftwareToken`.
enum PreferenceEndpoints {
    private static let members: [(String, Factor.Kind)] = [
        ("SoftwareTokenMfaSettings", .totp), ("SMSMfaSettings", .phone), ("EmailMfaSettings", .email),
    ]

    static func set(_ call: DialectCall) async throws -> JSONObject {
        try await write(try preferences(call.input, of: call.flow.settings), call)
    }

    /// The form before the one above, which knows text messages alone.
    static func setOptions(_ call: DialectCall) async throws -> JSONObject {
        guard let options = try call.input.list("MFAOptions") else { throw Input.missing("MFAOptions") }
        for option in options {
            guard let json = option.objectValue else { throw Input.mismatch("MFAOptions", "Structure") }
            let medium = try Input(json).choice("DeliveryMedium", from: ["SMS", "EMAIL"])
            let attribute = try Input(json).text(.attributeName)
            guard medium == "SMS", attribute == "phone_number" else {
                throw WireError.parameter("MFAOptions take DeliveryMedium SMS with AttributeName phone_number alone.")
            }
        }
        return try await write([FactorPreference(.phone, isEnabled: !options.isEmpty)], call)
    }

    static func deleteSoftwareToken(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        _ = try await call.accounts.factorAdministration.removeAll(of: user.id, kind: .totp, call: call.flow)
        return [:]
    }

    private static func preferences(
        _ input: Input, of settings: DirectorySettings
    ) throws(WireError) -> [FactorPreference] {
        var preferences: [FactorPreference] = []
        for (name, kind) in members {
            guard let json = try input.members(name).map({ Input($0) }) else { continue }
            let preference = FactorPreference(
                kind, isEnabled: try json.flag("Enabled") ?? false, isPreferred: try json.flag("PreferredMfa") ?? false)
            guard preference.isEnabled || !preference.isPreferred else {
                throw .parameter("\(name): a preferred MFA must be enabled.")
            }
            preferences.append(preference)
        }
        guard preferences.count(where: \.isPreferred) <= 1 else {
            throw .parameter("Only one MFA can be preferred.")
        }
        if let passkeys = try input.members("WebAuthnMfaSettings") {
            let isEnabled = try Input(passkeys).flag("Enabled") ?? false
            try checkPasskeys(isEnabled, beside: preferences, settings)
        }
        return preferences
    }

    /// A passkey that verifies its user is two factors for everybody, where the pool has passkeys: what asks for that
    /// is true already, and what asks for anything else is refused.
    private static func checkPasskeys(
        _ isEnabled: Bool, beside preferences: [FactorPreference], _ settings: DirectorySettings
    ) throws(WireError) {
        guard settings.passkeys.enabled else {
            guard !isEnabled else { throw .parameter("WebAuthn is not enabled for this user pool.") }
            return
        }
        guard isEnabled else {
            throw .parameter("WebAuthnMfaSettings with Enabled false is not supported by this server.")
        }
        guard preferences.contains(where: \.isEnabled) else {
            throw .parameter("WebAuthn MFA requires enabling an additional MFA setting.")
        }
    }

    private static func write(_ preferences: [FactorPreference], _ call: DialectCall) async throws -> JSONObject {
        do {
            if case .user(let user) = call.caller {
                try await call.accounts.factorPreferences(preferences, of: user, call: call.flow)
            } else {
                let user = try await call.namedUser()
                try await call.accounts.factorPreferences(preferences, of: user.id, call: call.flow)
            }
        } catch let error as AuthError where error.code == .factorNotFound {
            throw WireError.parameter(nothingToAsk(error.field))
        }
        return [:]
    }

    private static func nothingToAsk(_ kind: String?) -> String {
        switch kind.flatMap({ Factor.Kind(rawValue: $0) }).flatMap({ MFAType($0) }) {
        case .textMessage: "User does not have delivery config set to turn on SMS_MFA"
        case .mail: "User does not have delivery config set to turn on EMAIL_OTP"
        case .softwareToken, nil: "User has not verified software token mfa"
        }
    }
}
