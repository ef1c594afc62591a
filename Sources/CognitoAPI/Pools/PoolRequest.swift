// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The input of `CreateUserPool` and `UpdateUserPool`, as the settings of a Directory.
///
/// Every member of the model is done, or kept and shown (``PoolMembers``), or refused by its name: a pool that relies
/// on what is not done here must not be made in silence.
enum PoolRequest {
    /// What is read here and not by ``PoolMembers``, of either operation.
    private static let members: Set<String> = [
        "AdminCreateUserConfig", "AliasAttributes", "AutoVerifiedAttributes", "DeletionProtection",
        "DeviceConfiguration", "MfaConfiguration", "Policies", "PoolName", "Schema", "UserPoolId",
        "UsernameAttributes", "UsernameConfiguration",
    ]

    /// `CreateUserPool`
    ///
    /// - Parameter house: The settings of the standing Directory: its site, mails and limits are the new one's too.
    /// - Throws: `InvalidParameterException`, `FeatureUnavailableInTierException`.
    static func settings(_ input: Input, house: DirectorySettings) throws(WireError) -> DirectorySettings {
        var settings = DirectorySettings()
        settings.title = try input.required(.poolName)
        settings.siteURL = house.siteURL
        settings.mail = house.mail
        settings.limits = house.limits
        settings.deletionGraceDays = house.deletionGraceDays
        settings.deletion = house.deletion
        settings.sessions.newDeviceMail = house.sessions.newDeviceMail
        // The protocol asks the new address alone, and knows no code beside the current password.
        settings.oneTime.secureEmailChange = false
        settings.password.changeNeedsReauthentication = false
        var pool = PoolSettings()
        pool.isDeclared = true
        try readNames(input, into: &pool)
        // An address is one user's where it is their name or may stand for it.
        let names = pool.usernameAttributes + pool.aliasAttributes
        settings.signUp.uniqueEmails = names.contains("email")
        settings.signUp.uniquePhones = names.contains("phone_number")
        try readSchema(input, into: &pool)
        try PoolPolicies.readPasswords(Input([:]), into: &settings)
        try PoolMFA.read(input, into: &settings, isNew: true)
        try read(input, into: &pool, &settings)
        pool.keep(in: &settings)
        return settings
    }

    /// `UpdateUserPool`. What is not said is the default again, but for what the service was seen to leave as it is:
    /// the policies and the tier. The protection from deletion stays until `INACTIVE` is said, and how users are named,
    /// with the schema, for ever. In a Directory that was made otherwise what is not said stays, where it is the
    /// Directory's own: its operator has set it, and other dialects go by it.
    ///
    /// - Throws: `InvalidParameterException`, `FeatureUnavailableInTierException`.
    static func change(_ settings: inout DirectorySettings, by input: Input) throws(WireError) {
        if let name = try input.text(.poolName) { settings.title = name }
        var pool = PoolSettings(settings)
        let tier = pool.shown["UserPoolTier"]
        try PoolMFA.read(input, into: &settings, isNew: false)
        try read(input, into: &pool, &settings)
        pool.shown["UserPoolTier"] = pool.shown["UserPoolTier"] ?? tier
        pool.keep(in: &settings)
    }

    /// What both operations take.
    private static func read(
        _ input: Input, into pool: inout PoolSettings, _ settings: inout DirectorySettings
    ) throws(WireError) {
        try input.require(nothingBut: members.union(PoolMembers.names))
        pool.autoVerified = try input.choices("AutoVerifiedAttributes", from: PoolSettings.verifiable) ?? []
        if let protection = try input.choice("DeletionProtection", from: ["ACTIVE", "INACTIVE"]) {
            pool.isProtected = protection == "ACTIVE"
        }
        pool.shown = try PoolMembers.read(input)
        try PoolPolicies.read(input, into: &pool, &settings)
        try PoolDevices.read(input, of: pool, into: &settings)
        try PoolRefusals.check(pool.shown)
    }

    /// How a pool's users are named, which is settled when it is made.
    private static func readNames(_ input: Input, into pool: inout PoolSettings) throws(WireError) {
        pool.aliasAttributes = try input.choices("AliasAttributes", from: PoolSettings.aliases) ?? []
        guard !pool.aliasAttributes.contains("preferred_username") else {
            throw .parameter("AliasAttributes with preferred_username are not supported by this server.")
        }
        pool.usernameAttributes = try input.choices("UsernameAttributes", from: PoolSettings.verifiable) ?? []
        guard pool.aliasAttributes.isEmpty || pool.usernameAttributes.isEmpty else {
            throw .parameter("Only one of the aliasAttributes or usernameAttributes can be set in a user pool.")
        }
        let naming = Input(try input.members("UsernameConfiguration") ?? [:])
        // The default of calls that do not say; the console's is the other.
        pool.isCaseSensitive = try naming.flag("CaseSensitive") ?? true
    }

    private static func readSchema(_ input: Input, into pool: inout PoolSettings) throws(WireError) {
        for element in try input.list("Schema") ?? [] {
            guard let json = element.objectValue else { throw Input.mismatch("Schema", "Structure") }
            try pool.add(PoolAttribute(json))
        }
    }
}
