// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:signUp`: with an address and a password; anonymously with neither; with an ID token, to give an anonymous
/// user both. An administrator's is ``AdminUserEndpoints/create(_:)``.
enum SignUpEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        if call.isAdministrator { return try await AdminUserEndpoints.create(call) }
        if try call.body.given("localId") != nil { throw WireError("UNEXPECTED_PARAMETER", "User ID") }
        let email = try call.body.email()
        let password = try call.body.secret("password")
        let isLink = try call.body.given("idToken") != nil
        if email == nil, password == nil, !isLink { return try await anonymous(call) }
        guard let email else { throw WireError("MISSING_EMAIL") }
        guard let password else { throw WireError("MISSING_PASSWORD") }
        return isLink
            ? try await link(email, password, call) : try await signUp(email, password, call)
    }

    private static func signUp(
        _ email: EmailAddress, _ password: Secret<String>, _ call: DialectCall
    ) async throws -> Response {
        var metadata = JSONObject()
        metadata[SharedField.name.rawValue] = try call.body.given("displayName").map { .string($0) }
        var command = SignUpCommand(identifier: .email(email), password: password, userMetadata: metadata)
        command.signsInUnverified = true
        switch try await call.accounts.signUp(command, call: call.flow) {
        case .signedIn(let next): return try await answer(next.session(), call)
        // Where the address must be confirmed first, a taken one is answered alike: its owner has a mail.
        case .confirmationSent, .unconfirmed, .concealed: throw AuthError(.emailNotVerified)
        }
    }

    private static func anonymous(_ call: DialectCall) async throws -> Response {
        guard call.flow.settings.signUp.anonymousEnabled else { throw AuthError(.anonymousDisabled) }
        let next = try await call.accounts.anonymousSignUp(userMetadata: [:], call: call.flow)
        return try await answer(next.session(), call)
    }

    /// The user keeps their identifier.
    private static func link(
        _ email: EmailAddress, _ password: Secret<String>, _ call: DialectCall
    ) async throws -> Response {
        let (user, call) = try await call.signedIn()
        if user.user.isAnonymous { return try await upgrade(user, email, password, call) }
        guard user.user.email == email else {
            throw WireError("OPERATION_NOT_ALLOWED", "Please verify the new email before changing email.")
        }
        try user.requireRecentSignIn(call)
        var changes = UserChanges()
        changes.password = password
        _ = try await call.accounts.updateUser(changes, of: user, call: call.flow)
        return try await answer(try await call.accounts.replaceSession(user, call: call.flow), call)
    }

    /// Where addresses must be confirmed first, the message is sent and nothing else is done: the app asks again once
    /// this one is.
    private static func upgrade(
        _ user: AuthenticatedUser, _ email: EmailAddress, _ password: Secret<String>, _ call: DialectCall
    ) async throws -> Response {
        do {
            return try await answer(
                try await call.accounts.anonymousUpgrade(email, password: password, of: user, call: call.flow), call)
        } catch let error as AuthError where error.code == .emailNotVerified {
            var changes = UserChanges()
            changes.email = email
            _ = try await call.accounts.updateUser(changes, of: user, call: call.flow)
            throw error
        }
    }

    private static func answer(_ issued: IssuedSession, _ call: DialectCall) async throws -> Response {
        var json = Kind.signUp.object
        json["localId"] = .string(issued.user.localID)
        json["email"] = issued.user.email.map { .string($0.rawValue) }
        json["displayName"] = issued.user.shared(.name).map { .string($0) }
        try await call.tokens(issued).add(to: &json)
        return Answer.object(json)
    }
}
