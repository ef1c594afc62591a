// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What a signed-in user does with their own account.
enum UserEndpoints {
    /// `GetUser`
    static func get(_ call: DialectCall) async throws -> JSONObject {
        let authenticated = try call.user()
        let record = UserRecord(user: authenticated.user, identities: authenticated.identities)
        // The subject, and who vouches for it, are everybody's to read.
        let readable = call.flow.client?.settings.attributeNames("ReadAttributes").map {
            $0 + ["sub", UserIdentities.name]
        }
        var json: JSONObject = [
            "Username": .string(UserWire.username(of: record.user)),
            "UserAttributes": UserAttributeList.encode(record, in: call.attributeView, only: readable),
        ]
        try await call.addFactors(of: record.user, to: &json)
        return json
    }

    /// `UpdateUserAttributes`. A new address or number finds nobody until its code was given to `VerifyUserAttribute`.
    /// The former one goes at once, unless the pool keeps it until then or the user is called by it.
    static func update(_ call: DialectCall) async throws -> JSONObject {
        let authenticated = try call.user()
        let user = authenticated.user
        guard let list = try call.input.list("UserAttributes") else { throw Input.missing("UserAttributes") }
        let changes = try AttributeChanges(list, of: call.pool, byAdministrator: false)
        try call.requireWritable(list)
        try changes.requireMutable(of: call.pool)
        try changes.requireDroppable(from: user)
        var wanted = UserChanges()
        var deliveries: [CodeDelivery] = []
        let keepsEmail = user.isCalledByEmail || call.pool.keepsUntilVerified("email")
        let keepsPhone = user.isCalledByPhone || call.pool.keepsUntilVerified("phone_number")
        if let email = changes.email, email != user.email {
            wanted.email = email
            wanted.dropsFormerEmail = !keepsEmail
            wanted.sendsToEmail = keepsEmail || call.pool.verifies("email")
            if wanted.sendsToEmail { deliveries.append(CodeDelivery(email)) }
        }
        if let phone = changes.phone, phone != user.phone {
            wanted.phone = phone
            wanted.dropsFormerPhone = !keepsPhone
            wanted.sendsToPhone = keepsPhone || call.pool.verifies("phone_number")
            if wanted.sendsToPhone { deliveries.append(CodeDelivery(phone)) }
        }
        changes.apply(to: &wanted)
        _ = try await call.accounts.updateUser(wanted, of: authenticated, call: call.flow)
        return ["CodeDeliveryDetailsList": .array(deliveries.map { .object($0.json) })]
    }

    /// `DeleteUserAttributes`
    static func deleteAttributes(_ call: DialectCall) async throws -> JSONObject {
        guard let names = try call.input.texts("UserAttributeNames") else { throw Input.missing("UserAttributeNames") }
        try call.requireWritable(names)
        let authenticated = try call.user()
        let changes = try AttributeChanges(removing: names, of: call.pool, byAdministrator: false)
        try changes.requireDroppable(from: authenticated.user)
        var wanted = UserChanges()
        changes.apply(to: &wanted)
        _ = try await call.accounts.updateUser(wanted, of: authenticated, call: call.flow)
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
        // The service asks for an access token and nothing else.
        try await call.accounts.deleteAccount(try call.user(), asksForProof: false, call: call.flow)
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
