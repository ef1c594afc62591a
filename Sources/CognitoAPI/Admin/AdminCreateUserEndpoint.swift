// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `AdminCreateUser`: makes an account with a temporary password, which its user replaces at the first sign-in.
enum AdminCreateUserEndpoint {
    static func post(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.input.required(.username)
        let action = try call.input.choice("MessageAction", from: ["RESEND", "SUPPRESS"])
        let mediums = try call.input.choices("DesiredDeliveryMediums", from: ["SMS", "EMAIL"])
        if action != "SUPPRESS", let mediums, !mediums.isEmpty, !mediums.contains("EMAIL") {
            throw WireError.parameter("DesiredDeliveryMediums must contain EMAIL on this server.")
        }
        let given = try call.input.secret(.password("TemporaryPassword"))
        let password = given ?? TemporaryPasswordText.make(for: call.flow.settings, random: call.accounts.random)
        if action == "RESEND" { return try await resend(name, password, call) }

        var changes = try AttributeChanges(call.input.list("UserAttributes"), of: call.pool, byAdministrator: true)
        let newUser = try NewUser(name, changes, call: call)
        newUser.complete(&changes, from: name)
        try call.pool.requireComplete(changes)
        if action == nil, newUser.email == nil, newUser.phone != nil {
            throw WireError.parameter("The invitation needs an email address; MessageAction SUPPRESS sends none.")
        }
        var attributes = UserAttributes()
        changes.apply(to: &attributes)
        attributes.username = newUser.username
        (attributes.sharesEmail, attributes.sharesPhone) = (newUser.sharesEmail, newUser.sharesPhone)
        attributes.password = password
        attributes.passwordIsTemporary = true
        let record = try await create(attributes, call)
        let user = record.user
        // Who has neither address nor number is told by the operator.
        if action == nil, user.email != nil { try await mail(password, to: user, call) }
        return ["User": .object(UserWire.encode(record, call))]
    }

    private static func create(_ attributes: UserAttributes, _ call: DialectCall) async throws -> UserRecord {
        do {
            return try await call.accounts.userAdministration.create(
                attributes, asksPrograms: true, call: call.flow)
        } catch let error as AuthError {
            switch error.code {
            case .usernameExists: throw WireError("UsernameExistsException", "User account already exists")
            case .emailExists where !attributes.sharesEmail:
                throw WireError("UsernameExistsException", "An account with the given email already exists.")
            case .phoneExists where !attributes.sharesPhone:
                throw WireError("UsernameExistsException", "An account with the given phone_number already exists.")
            default: throw error
            }
        }
    }

    /// A new temporary password for somebody who has not used theirs, with a new term.
    private static func resend(
        _ name: String, _ password: Secret<String>, _ call: DialectCall
    ) async throws -> JSONObject {
        guard let user = try await call.find(try call.identifier(ofUsername: name)), user.deletedAt == nil else {
            throw WireError.userNotFound
        }
        let status = UserStatus(user)
        guard status == .forceChangePassword else {
            throw WireError(
                "UnsupportedUserStateException", "Resend not possible. \(name) status is not FORCE_CHANGE_PASSWORD")
        }
        var attributes = UserAttributes()
        attributes.password = password
        attributes.passwordIsTemporary = true
        let changed = try await call.accounts.userAdministration.update(user.id, attributes, call: call.flow)
        try await mail(password, to: changed.user, call)
        return ["User": .object(UserWire.encode(changed, call))]
    }

    private static func mail(_ password: Secret<String>, to user: User, _ call: DialectCall) async throws {
        try await call.accounts.userAdministration.mailTemporaryPassword(
            password, name: UserWire.username(of: user), to: user.id, call: call.flow)
    }
}
