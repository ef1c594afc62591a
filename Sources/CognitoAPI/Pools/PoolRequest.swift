// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The input of `CreateUserPool`, as the settings of a Directory.
struct PoolRequest: Sendable {
    let name: String
    let settings: DirectorySettings

    /// Members that change nothing here but what `DescribeUserPool` shows.
    private static let shown = [
        "EmailVerificationMessage", "EmailVerificationSubject", "SmsVerificationMessage", "SmsAuthenticationMessage",
        "VerificationMessageTemplate", "EmailConfiguration", "SmsConfiguration", "UserPoolTags", "UserPoolTier",
        "AccountRecoverySetting", "UserAttributeUpdateSettings",
    ]
    /// Members that would promise what is not done: a pool that relies on one of them must not be made in silence.
    private static let refused = [
        "DeviceConfiguration", "UserPoolAddOns", "DcrConfiguration", "KeyConfiguration", "IssuerConfiguration",
        "AcrConfiguration",
    ]

    /// - Parameter house: The settings of the standing Directory: its site, mails and limits are the new one's too.
    /// - Throws: `InvalidParameterException`.
    init(_ input: Input, house: DirectorySettings) throws(WireError) {
        name = try input.required(.poolName)
        var settings = DirectorySettings()
        settings.title = name
        settings.siteURL = house.siteURL
        settings.mail = house.mail
        settings.limits = house.limits
        settings.deletionGraceDays = house.deletionGraceDays
        // The protocol asks the new address alone, and knows no code beside the current password.
        settings.oneTime.secureEmailChange = false
        settings.password.changeNeedsReauthentication = false
        try PoolPolicies.read(input, into: &settings)
        try Self.pool(input).keep(in: &settings)
        self.settings = settings
    }

    private static func pool(_ input: Input) throws(WireError) -> PoolSettings {
        var pool = PoolSettings()
        pool.isDeclared = true
        pool.autoVerified = try input.choices("AutoVerifiedAttributes", from: PoolSettings.verifiable) ?? []
        pool.aliasAttributes = try input.choices("AliasAttributes", from: PoolSettings.aliases) ?? []
        guard !pool.aliasAttributes.contains("preferred_username") else {
            throw .parameter("The alias preferred_username is not supported by this server.")
        }
        pool.usernameAttributes = try input.choices("UsernameAttributes", from: PoolSettings.verifiable) ?? []
        guard pool.aliasAttributes.isEmpty || pool.usernameAttributes.isEmpty else {
            throw .parameter("Only one of the aliasAttributes or usernameAttributes can be set in a user pool.")
        }
        pool.isProtected = try input.choice("DeletionProtection", from: ["ACTIVE", "INACTIVE"]) == "ACTIVE"
        try refuse(input)
        for element in try input.list("Schema") ?? [] {
            guard let json = element.objectValue else { throw Input.mismatch("Schema", "Structure") }
            let attribute = try PoolAttribute(json)
            guard !pool.schema.contains(where: { $0.name == attribute.name }) else {
                throw .parameter("Duplicate attribute name in schema: \(attribute.name)")
            }
            pool.schema.append(attribute)
        }
        guard pool.schema.count <= 50 else { throw .parameter("Schema: at most 50 attributes") }
        for name in shown { pool.shown[name] = input.object[name] }
        return pool
    }

    private static func refuse(_ input: Input) throws(WireError) {
        if let mode = try input.choice("MfaConfiguration", from: ["OFF", "ON", "OPTIONAL"]), mode != "OFF" {
            throw .parameter("MfaConfiguration \(mode) is not supported by this server.")
        }
        if let hooks = try input.members("LambdaConfig"), !hooks.isEmpty {
            throw .parameter("LambdaConfig is not supported by this server.")
        }
        let naming = Input(try input.members("UsernameConfiguration") ?? [:])
        if try naming.flag("CaseSensitive") == true {
            throw .parameter("Case-sensitive user names are not supported by this server.")
        }
        let recovery = Input(try input.members("AccountRecoverySetting") ?? [:])
        for mechanism in try recovery.list("RecoveryMechanisms") ?? []
        where mechanism.objectValue?["Name"]?.stringValue == "admin_only" {
            throw .parameter("The recovery mechanism admin_only is not supported by this server.")
        }
        for name in refused where !(input.object[name]?.isNull ?? true) {
            throw .parameter("\(name) is not supported by this server.")
        }
    }
}
