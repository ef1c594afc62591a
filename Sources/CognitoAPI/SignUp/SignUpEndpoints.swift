// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `SignUp`, `ConfirmSignUp`, `ResendConfirmationCode`.
enum SignUpEndpoints {
    static func signUp(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.requireSecretHash()
        let password = try call.input.requiredSecret(.password("Password"))
        let list = try call.input.list("UserAttributes") ?? []
        var changes = try AttributeChanges(list, of: call.pool, byAdministrator: false)
        try call.requireWritable(list)
        let newUser = try NewUser(name, changes, call: call)
        newUser.complete(&changes, from: name)
        try call.pool.requireComplete(changes)
        var command = SignUpCommand(
            identifier: newUser.identifier, password: password, userMetadata: changes.shared, attributes: changes.kept)
        switch newUser.identifier {
        case .username: (command.email, command.phone) = (newUser.email, newUser.phone)
        case .email: command.phone = newUser.phone
        case .phone: command.email = newUser.email
        case .user: break
        }
        command.conceals = call.concealsUsers
        (command.confirmsByMail, command.confirmsByText) = (
            call.pool.verifies("email"), call.pool.verifies("phone_number")
        )
        // To what the user is called by, and for a name where they can be reached.
        let reached: [Recipient?] = [newUser.email.map { .email($0) }, newUser.phone.map { .phone($0) }]
        let recipients = newUser.username == nil ? [newUser.identifier.recipient(for: nil)] : reached
        let delivery = recipients.compactMap(\.self).first(where: command.sends).map { CodeDelivery($0) }
        switch try await call.accounts.signUp(command, call: call.flow) {
        case .signedIn(let next): return answer(next.user, isConfirmed: true)
        case .confirmationSent(let record): return answer(record.user, isConfirmed: false, delivery)
        case .unconfirmed(let record): return answer(record.user, isConfirmed: false)
        case .concealed(let record):
            guard call.concealsUsers else {
                throw WireError("UsernameExistsException", "An account with the given email already exists.")
            }
            return answer(record.user, isConfirmed: false, delivery)
        }
    }

    private static func answer(_ user: User, isConfirmed: Bool, _ delivery: CodeDelivery? = nil) -> JSONObject {
        var json: JSONObject = ["UserConfirmed": .bool(isConfirmed), "UserSub": .string(user.sub)]
        json["CodeDeliveryDetails"] = delivery.map { .object($0.json) }
        return json
    }

    /// Confirms the account by the code that was sent to its address.
    static func confirm(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.requireSecretHash()
        let code = try call.input.required(.confirmationCode)
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers {
            guard let user = try await call.find(identifier) else { throw unknownUser }
            guard !user.isConfirmed else {
                throw WireError.notAuthorized("User cannot be confirmed. Current status is CONFIRMED")
            }
        }
        _ = try await call.accounts.confirmAddress(
            .code(identifier, code), purposes: [.signUpConfirmation], call: call.flow)
        return [:]
    }

    /// Answers alike whether there is something to send or not, unless the client asked to be told.
    static func resend(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.requireSecretHash()
        let identifier = try call.identifier(ofUsername: name)
        guard PoolSettings.verifiable.contains(where: call.pool.verifies) else {
            throw WireError.parameter("Cannot resend codes. Auto verification not turned on.")
        }
        var delivery = CodeDelivery(named: identifier, in: call.directory)
        if !call.concealsUsers {
            guard let user = try await call.find(identifier) else { throw unknownUser }
            guard !user.isConfirmed else { throw WireError.parameter("User is already confirmed.") }
            if let recipient = identifier.recipient(for: user) {
                // Nothing is said to be sent where nothing can be.
                guard call.accounts.reaches(recipient, call: call.flow) else {
                    throw AuthError(.textMessagesUnavailable, field: "phone")
                }
                delivery = CodeDelivery(recipient)
            }
        }
        // Who is named by a number is confirmed by text message, and who is named otherwise where no mail is sent.
        let subject: ResendMessage.Subject =
            switch identifier {
            case .phone: .phoneSignIn
            case .email: .signUpConfirmation
            case .username, .user: call.pool.verifies("email") ? .signUpConfirmation : .phoneSignIn
            }
        let isSent = try await call.accounts.resendMessage(subject, to: identifier, call: call.flow)
        guard isSent || call.concealsUsers else { throw WireError.attemptLimit }
        return ["CodeDeliveryDetails": .object(delivery.json)]
    }

    static let unknownUser = WireError("UserNotFoundException", "Username/client id combination not found.")
}

extension DialectCall {
    /// Checks that a client with a secret proved it, and returns the `Username` that it proved it for.
    ///
    /// - Throws: `NotAuthorizedException`.
    func requireSecretHash() throws -> String {
        let name = try input.required(.username)
        try SecretHash.require(try input.text(.secretHash), username: name, client: try client())
        return name
    }
}
