// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What a signed-in user does with their own account.
enum UserEndpoints {
    /// `GetUser`
    static func get(_ call: DialectCall) async throws -> JSONObject {
        let user = try call.user().user
        // The subject is everybody's to read.
        let readable = call.flow.client?.settings.attributeNames("ReadAttributes").map { $0 + ["sub"] }
        return [
            "Username": .string(UserWire.username(of: user)),
            "UserAttributes": UserAttributeList.encode(user, in: call.attributeView, only: readable),
        ]
    }

    /// `UpdateUserAttributes`. A new address or number counts once its code was given to `VerifyUserAttribute`.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let authenticated = try call.user()
        let user = authenticated.user
        guard let list = try call.input.list("UserAttributes") else { throw Input.missing("UserAttributes") }
        let changes = try AttributeChanges(list, of: call.pool, byAdministrator: false)
        try call.requireWritable(list)
        try changes.requireMutable(of: call.pool)
        var wanted = UserChanges()
        var deliveries: [CodeDelivery] = []
        if let email = changes.email, email != user.email {
            wanted.email = email
            deliveries.append(CodeDelivery(email))
        }
        if let phone = changes.phone, phone != user.phone {
            wanted.phone = phone
            deliveries.append(CodeDelivery(phone))
        }
        changes.apply(to: &wanted)
        _ = try await call.accounts.updateUser(wanted, of: authenticated, call: call.flow)
        return ["CodeDeliveryDetailsList": .array(deliveries.map { .object($0.json) })]
    }

    /// `DeleteUserAttributes`
    static func deleteAttributes(_ call: DialectCall) async throws -> JSONObject {
        guard let names = try call.input.texts("UserAttributeNames") else { throw Input.missing("UserAttributeNames") }
        try call.requireWritable(names)
        var wanted = UserChanges()
        try AttributeChanges(removing: names, of: call.pool, byAdministrator: false).apply(to: &wanted)
        _ = try await call.accounts.updateUser(wanted, of: try call.user(), call: call.flow)
        return [:]
    }

    /// `ChangePassword`. Wrong passwords are counted: whoever holds a token must not find the password out by it.
    static func changePassword(_ call: DialectCall) async throws -> JSONObject {
        let authenticated = try call.user()
        let proposed = try call.input.requiredSecret(.password("ProposedPassword"))
        let previous = try call.input.secret(.password("PreviousPassword"))
        do {
            _ = try await call.accounts.changePassword(authenticated, current: previous, new: proposed, call: call.flow)
        } catch let error as AuthError where error.code == .rateLimited {
            throw WireError.attemptLimit
        }
        return [:]
    }

    /// `DeleteUser`
    static func delete(_ call: DialectCall) async throws -> JSONObject {
        try await call.accounts.deleteAccount(try call.user(), call: call.flow)
        return [:]
    }
}

extension DialectCall {
    /// - Throws: `NotAuthorizedException` for an attribute that the client's users may not write through it.
    func requireWritable(_ names: [String]) throws(WireError) {
        guard let writable = flow.client?.settings.attributeNames("WriteAttributes") else { return }
        guard names.allSatisfy(writable.contains) else { throw AttributeChanges.unauthorized }
    }

    func requireWritable(_ list: [JSONValue]) throws(WireError) {
        try requireWritable(list.compactMap { $0.objectValue?["Name"]?.stringValue })
    }
}
