// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `MfaConfiguration` of a pool and `SetUserPoolMfaConfig`: which second factors its Directory has, and whether
/// everybody must have one. Both are the Directory's own settings, in every dialect.
enum PoolMFA {
    private static let modes = ["OFF", "ON", "OPTIONAL"]

    static func mode(of settings: DirectorySettings) -> String {
        if settings.factors.demand == .all { return "ON" }
        let uses = [settings.factors.totp, settings.factors.phone, settings.factors.email]
        return uses.allSatisfy { $0 == .off } ? "OFF" : "OPTIONAL"
    }

    /// `GetUserPoolMfaConfig`
    static func json(of settings: DirectorySettings) -> JSONObject {
        let pool = PoolSettings(settings)
        var json: JSONObject = ["MfaConfiguration": .string(mode(of: settings))]
        if settings.factors.totp != .off { json["SoftwareTokenMfaConfiguration"] = ["Enabled": true] }
        if settings.factors.phone != .off {
            var messages = JSONObject()
            messages["SmsAuthenticationMessage"] = pool.shown["SmsAuthenticationMessage"]
            messages["SmsConfiguration"] = pool.shown["SmsConfiguration"]
            json["SmsMfaConfiguration"] = .object(messages)
        }
        if settings.factors.email != .off { json["EmailMfaConfiguration"] = .object(pool.factorMail ?? [:]) }
        json["WebAuthnConfiguration"] = PoolPasskeys.json(of: settings).map { .object($0) }
        return json
    }

    /// `SetUserPoolMfaConfig`. A kind that the call does not name is off afterwards.
    ///
    /// - Throws: `InvalidParameterException`.
    static func set(_ call: DialectCall) async throws -> JSONObject {
        let input = call.input
        let changed = try await PoolEndpoints.change(call) { settings in try apply(input, to: &settings) }
        return json(of: changed)
    }

    private static func apply(_ input: Input, to settings: inout DirectorySettings) throws(WireError) {
        let mode = try input.choice("MfaConfiguration", from: modes) ?? Self.mode(of: settings)
        let messages = try PoolMembers.factorMessages.read("SmsMfaConfiguration", of: input)?.objectValue
        let mail = try PoolMembers.factorMail.read("EmailMfaConfiguration", of: input)?.objectValue
        let apps = try Input(try input.members("SoftwareTokenMfaConfiguration") ?? [:]).flag("Enabled") ?? false
        let isAny = messages != nil || mail != nil || apps
        if mode == "OFF", isAny {
            throw .parameter("Invalid MFA configuration given, can't turn off MFA and configure an MFA together.")
        }
        if mode != "OFF", !isAny {
            throw .parameter("Invalid MFA configuration given, can't turn on MFA and disable all MFAs.")
        }
        try PoolPasskeys.read(input, into: &settings)
        // One that is asked for, and set up no more, is shown as one that is on: it stays so.
        func use(_ isOn: Bool, now: DirectorySettings.FactorUse) -> DirectorySettings.FactorUse {
            isOn ? (now == .off ? .on : now) : .off
        }
        settings.factors.totp = use(apps, now: settings.factors.totp)
        settings.factors.phone = use(messages != nil, now: settings.factors.phone)
        settings.factors.email = use(mail != nil, now: settings.factors.email)
        settings.factors.demand = mode == "ON" ? .all : .own
        var pool = PoolSettings(settings)
        for name in ["SmsAuthenticationMessage", "SmsConfiguration"] {
            if let value = messages?[name] { pool.shown[name] = value }
        }
        if let mail { pool.factorMail = mail.isEmpty ? nil : mail }
        pool.keep(in: &settings)
    }

    /// The member of `CreateUserPool` and `UpdateUserPool`, which names no kind: text messages where the pool has a
    /// configuration for them, authenticator apps otherwise, unless there are kinds already.
    ///
    /// - Parameter isNew: whether a pool that is told nothing has none.
    /// - Throws: `InvalidParameterException`.
    static func read(_ input: Input, into settings: inout DirectorySettings, isNew: Bool) throws(WireError) {
        guard let mode = try input.choice("MfaConfiguration", from: modes) ?? (isNew ? "OFF" : nil) else { return }
        settings.factors.demand = mode == "ON" ? .all : .own
        if isNew || mode == "OFF" {
            settings.factors.totp = .off
            settings.factors.phone = .off
            settings.factors.email = .off
        }
        guard mode != "OFF",
            [settings.factors.totp, settings.factors.phone, settings.factors.email].allSatisfy({ $0 == .off })
        else { return }
        if try input.members("SmsConfiguration") == nil {
            settings.factors.totp = .on
        } else {
            settings.factors.phone = .on
        }
    }
}
