// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// `Policies.PasswordPolicy` and `AdminCreateUserConfig`, which are settings of the Directory itself.
enum PoolPolicies {
    private static let longestMinimum: Int64 = 99

    /// What is not given is as strict as the service's own default.
    ///
    /// - Throws: `InvalidParameterException`.
    static func read(_ input: Input, into settings: inout DirectorySettings) throws(WireError) {
        let policies = Input(try input.members("Policies") ?? [:])
        let policy = Input(try policies.members("PasswordPolicy") ?? [:])
        settings.password.minimumLength = Int(try policy.integer("MinimumLength", in: 6...longestMinimum) ?? 8)
        var sets: [String] = []
        for (name, set) in requirements where try policy.flag(name) ?? true { sets.append(set) }
        settings.password.requiredCharacters = sets
        settings.password.temporaryLifetimeDays =
            try policy.integer("TemporaryPasswordValidityDays", in: 0...365) ?? 7
        if try policy.integer("PasswordHistorySize", in: 0...24) ?? 0 > 0 {
            throw .parameter("PasswordHistorySize is not supported by this server.")
        }
        let invitations = Input(try input.members("AdminCreateUserConfig") ?? [:])
        settings.signUp.enabled = !(try invitations.flag("AllowAdminCreateUserOnly") ?? false)
        if let days = try invitations.integer("UnusedAccountValidityDays", in: 0...365),
            try policy.integer("TemporaryPasswordValidityDays", in: 0...365) == nil
        {
            settings.password.temporaryLifetimeDays = days
        }
    }

    static func show(_ settings: DirectorySettings, in json: inout JSONObject) {
        var policy: JSONObject = ["MinimumLength": .integer(Int64(settings.password.minimumLength))]
        for (name, set) in requirements {
            policy[name] = .bool(settings.password.requiredCharacters.contains(set))
        }
        let days: JSONValue = .integer(settings.password.temporaryLifetimeDays)
        policy["TemporaryPasswordValidityDays"] = days
        json["Policies"] = [
            "PasswordPolicy": .object(policy), "SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD"]],
        ]
        json["AdminCreateUserConfig"] = [
            "AllowAdminCreateUserOnly": .bool(!settings.signUp.enabled), "UnusedAccountValidityDays": days,
        ]
    }

    private static let requirements = [
        ("RequireUppercase", PasswordPolicy.uppercaseLetters), ("RequireLowercase", PasswordPolicy.lowercaseLetters),
        ("RequireNumbers", PasswordPolicy.digits), ("RequireSymbols", PasswordPolicy.symbols),
    ]
}
