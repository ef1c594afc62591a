// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `ForgotPassword` and `ConfirmForgotPassword`.
enum RecoveryEndpoints {
    static func request(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.requireSecretHash()
        try requireOffered(call.pool)
        let identifier = try call.identifier(ofUsername: name)
        var delivery = CodeDelivery(named: identifier, in: call.directory)
        var isNobody = false
        if !call.concealsUsers {
            let user = try await call.find(identifier)
            isNobody = user == nil
            if let user { delivery = try require(user, identifier, call) ?? delivery }
            guard !isNobody || call.migrates else { throw SignUpEndpoints.unknownUser }
        }
        let isSent = try await call.accounts.requestRecovery(identifier, call: call.flow)
        if isNobody {
            guard let user = try await call.find(identifier) else { throw SignUpEndpoints.unknownUser }
            delivery = try require(user, identifier, call) ?? delivery
        }
        guard isSent || call.concealsUsers else { throw WireError.attemptLimit }
        return ["CodeDeliveryDetails": .object(delivery.json)]
    }

    /// What a client is told that may know who has an account; where a code goes.
    private static func require(
        _ user: User, _ identifier: SignInIdentifier, _ call: DialectCall
    ) throws -> CodeDelivery? {
        guard !user.isBanned(at: call.now) else { throw WireError.notAuthorized("User is disabled.") }
        guard user.emailVerifiedAt != nil || user.phoneVerifiedAt != nil else {
            throw WireError.parameter(
                "Cannot reset password for the user as there is no registered/verified email or phone_number")
        }
        guard let recipient = identifier.recipient(for: user) else { return nil }
        // Nothing is said to be sent where nothing can be.
        guard call.accounts.reaches(recipient, call: call.flow) else {
            throw AuthError(.textMessagesUnavailable, field: "phone")
        }
        return CodeDelivery(recipient)
    }

    static func confirm(_ call: DialectCall) async throws -> JSONObject {
        let name = try call.requireSecretHash()
        try requireOffered(call.pool)
        let code = try call.input.required(.confirmationCode)
        let password = try call.input.requiredSecret(.password("Password"))
        let identifier = try call.identifier(ofUsername: name)
        if !call.concealsUsers, try await call.find(identifier) == nil { throw SignUpEndpoints.unknownUser }
        do {
            _ = try await call.accounts.resetPassword(.code(identifier, code), password: password, call: call.flow)
        } catch let error as AuthError where error.code == .userBanned && call.concealsUsers {
            throw WireError.codeMismatch
        }
        return [:]
    }

    /// - Throws: `NotAuthorizedException` in a pool whose users ask an administrator.
    private static func requireOffered(_ pool: PoolSettings) throws(WireError) {
        guard !pool.isRecoveredByAdministrator else {
            throw .notAuthorized("Contact administrator to reset password.")
        }
    }
}
