// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:update`: by the user with an ID token, by whoever holds the code of a mail, or by an administrator.
enum UpdateEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        if call.isAdministrator { return try await AdminUserEndpoints.update(call) }
        if let code = try call.body.given("oobCode") { return try await confirm(code, call) }
        guard try call.body.given("idToken") != nil else {
            throw WireError("INVALID_REQ_TYPE", "Unsupported request parameters.")
        }
        return try await change(call)
    }

    /// Confirms an address by the code of a mail. Nobody is signed in by it.
    private static func confirm(_ code: String, _ call: DialectCall) async throws -> Response {
        let record = try await call.accounts.confirmAddress(
            .linkToken(code), purposes: ActionMode.confirming, call: call.flow)
        return Answer.object(UserInfo.changed(record))
    }

    private static func change(_ call: DialectCall) async throws -> Response {
        let (user, call) = try await call.signedIn()
        try refuseOperatorsMembers(call.body)
        var changes = UserChanges()
        changes.removes = try removals(call.body)
        changes.userMetadata = try profile(call.body)
        changes.password = try call.body.secret("password")
        if let email = try call.body.email(), email != user.user.email {
            // Whoever finds an open session must not take the account over by an address of their own.
            throw WireError("OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")
        }
        // Also to lose a way in: who found an open session could shut its owner out.
        if changes.password != nil || !changes.removes.isEmpty { try user.requireRecentSignIn(call) }
        if changes.password != nil {
            guard user.user.email != nil else {
                throw WireError("OPERATION_NOT_ALLOWED", "The user has no email address to sign in by.")
            }
        }
        let record = try await call.accounts.updateUser(changes, of: user, call: call.flow)
        var json = UserInfo.changed(record)
        if changes.password != nil {
            let issued = try await call.accounts.replaceSession(user, call: call.flow)
            try await call.tokens(issued).add(to: &json)
        }
        return Answer.object(json)
    }

    private static func refuseOperatorsMembers(_ body: Input) throws {
        if body.has("customAttributes") { throw WireError("INSUFFICIENT_PERMISSION") }
        for name in ["disableUser", "phoneNumber", "emailVerified", "validSince", "mfa", "linkProviderUserInfo"]
        where body.has(name) {
            throw WireError("OPERATION_NOT_ALLOWED")
        }
    }

    /// What the body says of name and picture; `nil` where it says nothing.
    static func profile(_ body: Input) throws -> JSONObject? {
        var changes = JSONObject()
        if let name = try body.given("displayName") { changes[SharedField.name.rawValue] = .string(name) }
        if let picture = try body.given("photoUrl") { changes[SharedField.picture.rawValue] = .string(picture) }
        for attribute in try body.enumerations("deleteAttribute", deletable) {
            switch attribute {
            case "DISPLAY_NAME": changes[SharedField.name.rawValue] = .null
            case "PHOTO_URL": changes[SharedField.picture.rawValue] = .null
            default: break
            }
        }
        return changes.isEmpty ? nil : changes
    }

    /// What the body takes from the account. On the platform the provider of passwords goes with the address.
    ///
    /// - Throws: `OPERATION_NOT_ALLOWED`, for the attributes that the platform does not tell of.
    static func removals(_ body: Input) throws -> Set<AccountPart> {
        var parts: Set<AccountPart> = []
        for attribute in try body.enumerations("deleteAttribute", deletable) {
            switch attribute {
            case "EMAIL": parts.insert(.email)
            case "PASSWORD": parts.insert(.password)
            case "PROVIDER", "RAW_USER_INFO": throw WireError.notAllowed("deleteAttribute: \(attribute)")
            default: break
            }
        }
        for provider in try body.texts("deleteProvider") {
            switch provider {
            case "password": parts.formUnion([.email, .password])
            case "phone": parts.insert(.phone)
            default: parts.insert(.identity(provider: ProviderID(provider).name))
            }
        }
        return parts
    }

    private static let deletable = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD",
        "RAW_USER_INFO",
    ]
}
