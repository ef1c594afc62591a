// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Somebody as the trigger has them that knows the users of another directory ("Migrate user Lambda trigger", developer
/// guide).
enum UserMigration {
    static let response: JSONObject = [
        "userAttributes": .null, "forceAliasCreation": .null, "enableSMSMFA": .null, "finalUserStatus": .null,
        "messageAction": .null, "desiredDeliveryMediums": .null,
    ]

    /// As it was typed.
    static func name(_ identifier: SignInIdentifier) -> String {
        if case .username(let name) = identifier { name.rawValue } else { identifier.name }
    }

    /// - Throws: ``AuthErrorCode/hookFailed`` for what is none of the pool's users, and for what is not done here: a
    ///   factor, or an address that is taken from somebody else.
    static func user(
        _ response: JSONObject, for identifier: SignInIdentifier, in pool: PoolSettings
    ) throws(AuthError) -> MigratedUser {
        for name in ["forceAliasCreation", "enableSMSMFA"] where response[name]?.boolValue == true {
            throw HookFailure.malformed.error("\(name) is not done by this server")
        }
        guard let given = response["userAttributes"]?.objectValue, !given.isEmpty else {
            throw HookFailure.malformed.error("userAttributes are missing")
        }
        var migrated = MigratedUser()
        switch response["finalUserStatus"] {
        case nil, .null, .string("RESET_REQUIRED"): break
        case .string("CONFIRMED"): migrated.keepsPassword = true
        default: throw HookFailure.malformed.error("finalUserStatus")
        }
        // No welcome is sent: there is no temporary password that one could tell of.
        switch response["messageAction"] {
        case nil, .null, .string("SUPPRESS"): break
        default: throw HookFailure.malformed.error("messageAction")
        }
        do {
            try fill(&migrated, given, for: identifier, in: pool)
        } catch let error as WireError {
            throw HookFailure.malformed.error("userAttributes: \(error.exception)")
        } catch let error as AuthError {
            throw error.code == .hookFailed
                ? error : HookFailure.malformed.error("userAttributes: \(error.code.rawValue)")
        } catch {
            throw HookFailure.malformed.error("userAttributes")
        }
        return migrated
    }

    private static func fill(
        _ migrated: inout MigratedUser, _ given: JSONObject, for identifier: SignInIdentifier, in pool: PoolSettings
    ) throws {
        let list: [JSONValue] = given.members.filter { $0.name != "username" && !$0.name.hasPrefix("cognito:") }
            .map { ["Name": .string($0.name), "Value": $0.value] }
        var changes = try AttributeChanges(list, of: pool, byAdministrator: true)
        let name = try given["username"]?.stringValue.map { try Username($0, isCaseSensitive: pool.isCaseSensitive) }
        switch identifier {
        case .username(let typed):
            guard pool.usernameAttributes.isEmpty else { throw HookFailure.malformed.error("username") }
            migrated.username = name ?? typed
        case .email(let address):
            if changes.email == nil { changes.write(email: address, as: address.rawValue) }
            migrated.username = try alias(name, "email", in: pool)
        case .phone(let number):
            if changes.phone == nil { changes.phone = number }
            migrated.username = try alias(name, "phone_number", in: pool)
        case .user: throw HookFailure.malformed.error("username")
        }
        try pool.requireComplete(changes)
        (migrated.email, migrated.phone) = (changes.email, changes.phone)
        (migrated.provesEmail, migrated.provesPhone) = (changes.emailVerified == true, changes.phoneVerified == true)
        (migrated.metadata, migrated.attributes) = (changes.shared, changes.kept)
        migrated.operatorAttributes = changes.developer
    }

    /// The name of whom an address or a number stands for: where it is what users are called by, they have none.
    private static func alias(_ name: Username?, _ attribute: String, in pool: PoolSettings) throws -> Username? {
        guard pool.isDeclared, pool.aliasAttributes.contains(attribute) else { return nil }
        guard let name else { throw HookFailure.malformed.error("username is missing") }
        return name
    }
}
