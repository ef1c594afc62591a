// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// `Policies.PasswordPolicy` and `AdminCreateUserConfig`, which are settings of the Directory itself.
enum PoolPolicies {
    private static let longestMinimum: Int64 = 99

    /// Each policy that is given; one that is not stays as it is. Whether users sign themselves up is said anew with
    /// each update of a pool that this dialect has made, and of no other: it would open a Directory that its operator
    /// has closed.
    ///
    /// - Throws: `InvalidParameterException`.
    static func read(
        _ input: Input, into pool: inout PoolSettings, _ settings: inout DirectorySettings
    ) throws(WireError) {
        let policies = Input(try input.members("Policies") ?? [:])
        let policy = try policies.members("PasswordPolicy").map { Input($0) }
        if let policy { try readPasswords(policy, into: &settings) }
        if let factors = try PoolMembers.firstFactors.read("SignInPolicy", of: policies)?.objectValue {
            let names = factors["AllowedFirstAuthFactors"]?.arrayValue ?? []
            guard names.isEmpty || names.contains("PASSWORD") else {
                throw .parameter("AllowedFirstAuthFactors without PASSWORD is not supported by this server.")
            }
            pool.signInPolicy = factors
            settings.passkeys.enabled = names.contains("WEB_AUTHN")
        }
        let invitations = Input(try input.members("AdminCreateUserConfig") ?? [:])
        let isByInvitation = try invitations.flag("AllowAdminCreateUserOnly")
        if pool.isDeclared || isByInvitation != nil { settings.signUp.enabled = !(isByInvitation ?? false) }
        pool.invitation = try PoolMembers.invitation.read("InviteMessageTemplate", of: invitations)?.objectValue
        guard let days = try invitations.integer("UnusedAccountValidityDays", in: 0...365) else { return }
        if let other = try policy?.integer("TemporaryPasswordValidityDays", in: 0...365), other != days {
            throw .parameter(
                "Please use TemporaryPasswordValidityDays in PasswordPolicy instead of UnusedAccountValidityDays")
        }
        settings.password.temporaryLifetimeDays = days
    }

    /// What is not given is as strict as the service's own default.
    ///
    /// - Throws: `InvalidParameterException`.
    static func readPasswords(_ policy: Input, into settings: inout DirectorySettings) throws(WireError) {
        settings.password.minimumLength = Int(try policy.integer("MinimumLength", in: 6...longestMinimum) ?? 8)
        var sets: [String] = []
        for (name, set) in requirements where try policy.flag(name) ?? true { sets.append(set) }
        settings.password.requiredCharacters = sets
        settings.password.temporaryLifetimeDays =
            try policy.integer("TemporaryPasswordValidityDays", in: 0...365) ?? 7
        if try policy.integer("PasswordHistorySize", in: 0...24) ?? 0 > 0 {
            throw .parameter("PasswordHistorySize is not supported by this server.")
        }
    }

    static func show(_ settings: DirectorySettings, of pool: PoolSettings, in json: inout JSONObject) {
        var policy: JSONObject = ["MinimumLength": .integer(Int64(settings.password.minimumLength))]
        for (name, set) in requirements {
            policy[name] = .bool(settings.password.requiredCharacters.contains(set))
        }
        let days: JSONValue = .integer(settings.password.temporaryLifetimeDays)
        policy["TemporaryPasswordValidityDays"] = days
        json["Policies"] = [
            "PasswordPolicy": .object(policy),
            "SignInPolicy": .object(signInPolicy(settings, of: pool)),
        ]
        var invitations: JSONObject = [
            "AllowAdminCreateUserOnly": .bool(!settings.signUp.enabled), "UnusedAccountValidityDays": days,
        ]
        invitations["InviteMessageTemplate"] = pool.invitation.map { .object($0) }
        json["AdminCreateUserConfig"] = .object(invitations)
    }

    /// As it was given, and passkeys as the Directory has them: they are switched on and off elsewhere too.
    private static func signInPolicy(_ settings: DirectorySettings, of pool: PoolSettings) -> JSONObject {
        let passkey: JSONValue = "WEB_AUTHN"
        var names = pool.signInPolicy?["AllowedFirstAuthFactors"]?.arrayValue ?? ["PASSWORD"]
        if !settings.passkeys.enabled { names.removeAll { $0 == passkey } }
        if settings.passkeys.enabled, !names.contains(passkey) { names.append(passkey) }
        return (pool.signInPolicy ?? [:]).merging(["AllowedFirstAuthFactors": .array(names)])
    }

    private static let requirements = [
        ("RequireUppercase", PasswordPolicy.uppercaseLetters), ("RequireLowercase", PasswordPolicy.lowercaseLetters),
        ("RequireNumbers", PasswordPolicy.digits), ("RequireSymbols", PasswordPolicy.symbols),
    ]
}
