// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension UserAdministration {
    /// Invites somebody by mail: makes the account where there is none. An account that was never confirmed is invited
    /// again, and loses whatever somebody who never proved the address may have left there to come back by.
    ///
    /// - Parameter metadata: laid over the user's own metadata.
    /// - Throws: `AuthErrorCode.emailExists` for a confirmed address, `.forbidden`.
    public func invite(
        email: EmailAddress, metadata: JSONObject = [:], redirectTo: String? = nil, call: CallContext
    ) async throws -> UserRecord {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            var record = try Self.unconfirmed(email, metadata: metadata, password: nil, from: .invitation, step)
            try OneTimeIssuer(step).send(
                .invitation, to: &record.user, recipient: .email(email), redirectTo: redirectTo, codeChallenge: nil,
                isHolders: true)
            record.user = try step.tx.update(record.user)
            try step.record(.invited, record.user)
            return record
        }
    }

    /// Makes the link that a message would carry, for an operator who sends it in their own way. Nothing is sent.
    ///
    /// - Parameters:
    ///   - purpose: sign-up confirmation, invitation, magic link, recovery, or one side of an email change. A magic
    ///     link for an unknown address becomes a sign-up confirmation, unless `welcomes` is off.
    ///   - password: for a sign-up confirmation; the account has none until the link is opened where it is `nil`.
    ///   - metadata: laid over the user's own, for a sign-up confirmation or an invitation.
    /// - Returns: the user, the proof, and the purpose it was made for.
    /// - Throws: `AuthErrorCode.userNotFound`, `.emailExists`, `.weakPassword`, `.unsupported` for another purpose,
    ///   `.invalidRequest` with the field `new_email`, `.forbidden`.
    public func generateLink(
        _ purpose: OneTimeToken.Purpose, email: EmailAddress, newEmail: EmailAddress? = nil,
        password: Secret<String>? = nil, metadata: JSONObject? = nil, welcomes: Bool = true, redirectTo: String? = nil,
        call: CallContext
    ) async throws -> (record: UserRecord, proof: IssuedProof, purpose: OneTimeToken.Purpose) {
        try call.requireAdministrator()
        var given: NewPassword?
        if purpose == .signUpConfirmation, let password {
            given = try await newPassword(password, email: email, call)
        }
        let newPassword = given
        return try await ports.write(call) { step in
            let owner = try step.tx.user(email: email, in: step.directory)
            var made = purpose
            var recipient = email
            var record: UserRecord
            switch (purpose, owner) {
            case (.magicLink, nil), (.signUpConfirmation, _), (.invitation, _):
                if purpose == .magicLink, welcomes { made = .signUpConfirmation }
                record = try Self.unconfirmed(
                    email, metadata: metadata ?? [:], password: newPassword,
                    from: made == .invitation ? .invitation : .administrator, step)
            case (.magicLink, let user?), (.recovery, let user?):
                record = try UserRecord(user, step.tx)
            case (.emailChangeCurrent, let user?), (.emailChangeNew, let user?):
                record = try UserRecord(user, step.tx)
                let wanted = try Self.change(&record.user, to: newEmail, purpose, step)
                if purpose == .emailChangeNew { recipient = wanted }
            case (.recovery, nil), (.emailChangeCurrent, nil), (.emailChangeNew, nil):
                throw AuthError(.userNotFound)
            case (.phoneSignIn, _), (.phoneChange, _), (.reauthentication, _), (.unlock, _),
                (.export, _), (.factorRecoveryStop, _):
                throw AuthError(.unsupported, reason: "no link of this kind", field: "type")
            }
            let proof = try OneTimeIssuer(step).make(
                made, for: &record.user, recipient: .email(recipient), redirectTo: redirectTo, codeChallenge: nil,
                isHolders: made == .signUpConfirmation || made == .invitation)
            record.user = try step.tx.update(record.user)
            try step.record(Self.action(made), record.user, details: ["link": .string(made.rawValue)])
            return (record, proof, made)
        }
    }

    /// Makes the link by which an existing user confirms their address, for an operator who sends it in their own way.
    /// Unlike a link for a sign-up, it begins nothing anew: the account is confirmed as it is, on the operator's word,
    /// and the password stays, or is that of the only sign-up there is.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func verificationLink(
        of email: EmailAddress, redirectTo: String? = nil, call: CallContext
    ) async throws -> IssuedProof {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            guard var user = try step.tx.user(email: email, in: step.directory) else { throw AuthError(.userNotFound) }
            let signUp = user.passwordHash == nil ? try SignUpAttempts(of: user.id, call: call, in: step.tx).only : nil
            let proof = try OneTimeIssuer(step).make(
                .signUpConfirmation, for: &user, recipient: .email(email), redirectTo: redirectTo, codeChallenge: nil,
                signUp: signUp, isHolders: true)
            try step.tx.update(user)
            try step.record(.confirmationRequested, user, details: ["link": "sign_up"])
            return proof
        }
    }

    /// The account of this address that nobody has confirmed yet; a new one where there is none.
    private static func unconfirmed(
        _ email: EmailAddress, metadata: JSONObject, password: NewPassword?, from origin: User.Origin,
        _ step: FlowStep
    ) throws -> UserRecord {
        let found = try step.tx.user(email: email, in: step.directory)
        guard found?.emailVerifiedAt == nil else { throw AuthError(taken: .duplicate("user.email")) }
        if let found, found.origin == .signUp, found.isProved {
            // The account is that of whoever has proved its number, and goes on by that; nothing says whose the address
            // is.
            try AccountLinking(step).strip(.email(email), from: found)
        } else if var user = found {
            // Whoever typed the address may be anybody: they keep no way in, and what they wished to change must not
            // come to pass once somebody else has accepted.
            let right: PasswordReplacement.Right = origin == .invitation ? .invitation : .administrator
            let given = password.map { PasswordReplacement.Password.new($0) } ?? .none
            if user.origin == .signUp {
                try AccountTakeover(step, by: right).apply(given, to: &user)
                user.forgetDescription()
            } else {
                try PasswordReplacement(step, by: right).apply(given, to: &user)
            }
            if !user.isProved { user.origin = origin }
            try LocalIdentities(step).align(&user)
            try user.write(metadata: metadata, attributes: nil, call: step.call)
            user.updatedAt = step.now
            return try UserRecord(step.tx.update(user), step.tx)
        }
        var user = try step.newUser()
        user.email = email
        user.origin = origin
        try password.map { PasswordReplacement.Password.new($0) }?.give(to: &user, step)
        try user.describe(metadata: metadata, attributes: [:], call: step.call)
        user.name(providers: [LocalIdentities.email])
        try step.admit(&user, by: LocalIdentities.email, isInvited: true)
        try step.tx.insert(user)
        step.followCreation(of: user)
        return UserRecord(user: user, identities: try LocalIdentities(step).insert(for: user))
    }

    /// Notes the wanted address; a change to another one starts over.
    private static func change(
        _ user: inout User, to newEmail: EmailAddress?, _ purpose: OneTimeToken.Purpose, _ step: FlowStep
    ) throws -> EmailAddress {
        guard purpose == .emailChangeNew || step.settings.oneTime.secureEmailChange else {
            throw AuthError(.invalidRequest, reason: "the current address is not asked", field: "type")
        }
        guard let newEmail, newEmail != user.email else {
            throw AuthError(.invalidRequest, reason: "another address is needed", field: "new_email")
        }
        try Self.requireFree(newEmail, nil, nil, for: user.id, step)
        if user.pendingEmail != newEmail {
            try step.tx.deleteOneTimeTokens(
                of: user.id, in: user.directoryID, purposes: [.emailChangeCurrent, .emailChangeNew])
            user.pendingEmail = newEmail
            user.pendingEmailHalfConfirmed = false
        }
        return newEmail
    }

    private static func action(_ purpose: OneTimeToken.Purpose) -> AuditEvent.Action {
        switch purpose {
        case .invitation: .invited
        case .signUpConfirmation: .confirmationRequested
        case .magicLink: .magicLinkRequested
        case .emailChangeCurrent, .emailChangeNew: .emailChangeRequested
        case .recovery, .unlock, .export, .phoneSignIn, .phoneChange, .reauthentication,
            .factorRecoveryStop:
            .recoveryRequested
        }
    }
}
