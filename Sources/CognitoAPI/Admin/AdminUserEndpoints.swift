// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What an operator's programs do with the users of a pool, one user at a time.
enum AdminUserEndpoints {
    /// `AdminGetUser`
    static func get(_ call: DialectCall) async throws -> JSONObject {
        let record = try await call.namedRecord()
        var json = UserWire.described(record, call)
        try await call.addFactors(of: record.user, to: &json)
        return json
    }

    /// `AdminSetUserPassword`. A permanent one confirms the user, and none of their addresses.
    static func setPassword(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        var attributes = UserAttributes()
        attributes.password = try call.input.requiredSecret(.password("Password"))
        let isPermanent = try call.input.flag("Permanent") ?? false
        attributes.passwordIsTemporary = !isPermanent
        attributes.accountConfirm = isPermanent
        try await write(attributes, to: user, call)
        return [:]
    }

    /// `AdminConfirmSignUp`. Vouches for the user, and for none of their addresses.
    static func confirm(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        let status = UserStatus(user)
        guard status == .unconfirmed else {
            throw WireError.notAuthorized("User cannot be confirmed. Current status is \(status.rawValue)")
        }
        var attributes = UserAttributes()
        attributes.accountConfirm = true
        try await write(attributes, to: user, call)
        return [:]
    }

    /// `AdminUpdateUserAttributes`. An address counts at once; it is verified where the request says so.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        guard let list = try call.input.list("UserAttributes") else { throw Input.missing("UserAttributes") }
        let changes = try AttributeChanges(list, of: call.pool, byAdministrator: true)
        try changes.requireMutable(of: call.pool)
        try changes.requireDroppable(from: user)
        var attributes = UserAttributes()
        changes.apply(to: &attributes)
        // Said of the address that is shown, which may be pending.
        if changes.email == nil, user.email == nil, changes.emailVerified == true {
            attributes.email = user.pendingEmail
        }
        if changes.phone == nil, user.phone == nil, changes.phoneVerified == true {
            attributes.phone = user.pendingPhone
        }
        // The domain lets a verified address be replaced by another verified one; here each has to be said.
        if let email = changes.email, email != user.email, changes.emailVerified == nil {
            attributes.emailConfirm = false
        }
        if let phone = changes.phone, phone != user.phone, changes.phoneVerified == nil {
            attributes.phoneConfirm = false
        }
        try await write(attributes, to: user, call)
        return [:]
    }

    /// `AdminDeleteUserAttributes`
    static func deleteAttributes(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        guard let names = try call.input.texts("UserAttributeNames") else { throw Input.missing("UserAttributeNames") }
        let changes = try AttributeChanges(removing: names, of: call.pool, byAdministrator: true)
        try changes.requireDroppable(from: user)
        var attributes = UserAttributes()
        changes.apply(to: &attributes)
        try await write(attributes, to: user, call)
        return [:]
    }

    /// `AdminDisableUser`
    static func disable(_ call: DialectCall) async throws -> JSONObject {
        var attributes = UserAttributes()
        attributes.ban = .indefinitely
        try await write(attributes, to: try await call.namedUser(), call)
        return [:]
    }

    /// `AdminEnableUser`
    static func enable(_ call: DialectCall) async throws -> JSONObject {
        var attributes = UserAttributes()
        attributes.ban = .lift
        try await write(attributes, to: try await call.namedUser(), call)
        return [:]
    }

    /// `AdminUserGlobalSignOut`
    static func signOut(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        _ = try await call.accounts.sessionAdministration.revokeAll(of: user.id, call: call.flow)
        return [:]
    }

    /// `AdminDeleteUser`
    static func delete(_ call: DialectCall) async throws -> JSONObject {
        let user = try await call.namedUser()
        try await call.accounts.userAdministration.delete(user.id, soft: false, call: call.flow)
        return [:]
    }

    private static func write(_ attributes: UserAttributes, to user: User, _ call: DialectCall) async throws {
        _ = try await call.accounts.userAdministration.update(user.id, attributes, call: call.flow)
    }
}
