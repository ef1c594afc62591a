// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension UserAdministration {
    /// Invites somebody by mail: makes the account where there is none. An account that was never confirmed is invited
    /// again, and loses the password and sessions that somebody who never proved the address gave it.
    ///
    /// - Parameter metadata: laid over the user's own metadata.
    /// - Throws: `AuthErrorCode.emailExists` for a confirmed address, `.forbidden`.
    public func invite(
        email: EmailAddress, metadata: JSONObject = [:], redirectTo: String? = nil, call: CallContext
    ) async throws -> UserRecord {
        try call.requireAdministrator()
        let ports = ports
        return try await ports.store.administer { tx in
            var record = try unconfirmed(email, metadata: metadata, password: nil, from: .invitation, call, tx)
            try OneTimeIssuer(ports).send(
                .invitation, to: &record.user, recipient: .email(email), redirectTo: redirectTo, codeChallenge: nil,
                call: call, in: tx)
            record.user = try tx.update(record.user)
            try tx.append(event(.invited, record.user, [:], call))
            return record
        }
    }

    /// Makes the link that a message would carry, for an operator who sends it in their own way. Nothing is sent.
    ///
    /// - Parameters:
    ///   - purpose: sign-up confirmation, invitation, magic link, recovery, or one side of an email change. A magic
    ///     link for an unknown address becomes a sign-up confirmation.
    ///   - password: for a sign-up confirmation; the account has none until the link is opened where it is `nil`.
    ///   - metadata: laid over the user's own, for a sign-up confirmation or an invitation.
    /// - Returns: the user, the proof, and the purpose it was made for.
    /// - Throws: `AuthErrorCode.userNotFound`, `.emailExists`, `.weakPassword`, `.unsupported` for another purpose,
    ///   `.invalidRequest` with the field `new_email`, `.forbidden`.
    public func generateLink(
        _ purpose: OneTimeToken.Purpose, email: EmailAddress, newEmail: EmailAddress? = nil,
        password: Secret<String>? = nil, metadata: JSONObject? = nil, redirectTo: String? = nil, call: CallContext
    ) async throws -> (record: UserRecord, proof: IssuedProof, purpose: OneTimeToken.Purpose) {
        try call.requireAdministrator()
        var given: NewPassword?
        if purpose == .signUpConfirmation, let password {
            given = try await newPassword(password, email: email, call)
        }
        let newPassword = given
        let ports = ports
        return try await ports.store.administer { tx in
            let owner = try tx.user(email: email, in: call.directory.id)
            var made = purpose
            var recipient = email
            var record: UserRecord
            switch (purpose, owner) {
            case (.magicLink, nil), (.signUpConfirmation, _), (.invitation, _):
                if purpose == .magicLink { made = .signUpConfirmation }
                record = try unconfirmed(
                    email, metadata: metadata ?? [:], password: newPassword,
                    from: made == .invitation ? .invitation : .administrator, call, tx)
            case (.magicLink, let user?), (.recovery, let user?):
                record = UserRecord(user: user, identities: try tx.identities(of: user.id, in: user.directoryID))
            case (.emailChangeCurrent, let user?), (.emailChangeNew, let user?):
                record = UserRecord(user: user, identities: try tx.identities(of: user.id, in: user.directoryID))
                let wanted = try change(&record.user, to: newEmail, purpose, call, tx)
                if purpose == .emailChangeNew { recipient = wanted }
            case (.recovery, nil), (.emailChangeCurrent, nil), (.emailChangeNew, nil):
                throw AuthError(.userNotFound)
            case (.phoneSignIn, _), (.phoneChange, _), (.reauthentication, _):
                throw AuthError(.unsupported, reason: "no link of this kind", field: "type")
            }
            let proof = try OneTimeIssuer(ports).make(
                made, for: &record.user, recipient: .email(recipient), redirectTo: redirectTo, codeChallenge: nil,
                call: call, in: tx)
            record.user = try tx.update(record.user)
            try tx.append(event(Self.action(made), record.user, ["link": .string(made.rawValue)], call))
            return (record, proof, made)
        }
    }

    /// Makes the link by which an existing user confirms their address, for an operator who sends it in their own way.
    /// Unlike a link for a sign-up, it begins nothing anew: the password stays, or is that of the only sign-up there is.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func verificationLink(
        of email: EmailAddress, redirectTo: String? = nil, call: CallContext
    ) async throws -> IssuedProof {
        try call.requireAdministrator()
        let ports = ports
        return try await ports.store.administer { tx in
            guard var user = try tx.user(email: email, in: call.directory.id) else { throw AuthError(.userNotFound) }
            let signUp = user.passwordHash == nil ? try SignUpAttempts(of: user.id, call: call, in: tx).only : nil
            let proof = try OneTimeIssuer(ports).make(
                .signUpConfirmation, for: &user, recipient: .email(email), redirectTo: redirectTo, codeChallenge: nil,
                signUp: signUp, call: call, in: tx)
            try tx.update(user)
            try tx.append(event(.confirmationRequested, user, ["link": "sign_up"], call))
            return proof
        }
    }

    /// The account of this address that nobody has confirmed yet; a new one where there is none.
    private func unconfirmed(
        _ email: EmailAddress, metadata: JSONObject, password: NewPassword?, from origin: User.Origin,
        _ call: CallContext, _ tx: any StoreWriting
    ) throws -> UserRecord {
        if var user = try tx.user(email: email, in: call.directory.id) {
            guard user.emailVerifiedAt == nil else { throw AuthError(taken: .duplicate("user.email")) }
            // A number that was proved is a way in of its own; all else came from whoever typed the address, and what
            // they wrote there or wished to change must not be found there by whoever is asked in.
            if user.phoneVerifiedAt == nil {
                try AccountEnding(now: call.now).endAll(of: user, because: .replaced, in: tx)
                user.dropPendingChanges()
                user.revokeTokens(at: call.now)
                if user.origin == .signUp { user.forgetDescription() }
                user.origin = origin
            }
            let before = user
            user.passwordHash = nil
            try password?.set(on: &user, call: call, random: ports.random)
            try user.write(metadata: metadata, attributes: nil, call: call)
            user.updatedAt = call.now
            let written = try tx.update(user)
            try OwnerNotice(ports).tell(
                before, became: written, passwordChanged: before.passwordHash != nil || password != nil, call: call,
                in: tx)
            return UserRecord(user: written, identities: try tx.identities(of: user.id, in: user.directoryID))
        }
        var user = User(id: ports.random.identifier(), directoryID: call.directory.id, createdAt: call.now)
        user.email = email
        user.origin = origin
        try password?.set(on: &user, call: call, random: ports.random)
        try user.describe(metadata: metadata, attributes: [:], call: call)
        user.name(providers: [LocalIdentities.email])
        try tx.insert(user)
        let identities = try LocalIdentities(random: ports.random, now: call.now).insert(for: user, in: tx)
        return UserRecord(user: user, identities: identities)
    }

    /// Notes the wanted address; a change to another one starts over.
    private func change(
        _ user: inout User, to newEmail: EmailAddress?, _ purpose: OneTimeToken.Purpose, _ call: CallContext,
        _ tx: any StoreWriting
    ) throws -> EmailAddress {
        guard let newEmail, newEmail != user.email else {
            throw AuthError(.invalidRequest, reason: "another address is needed", field: "new_email")
        }
        guard purpose == .emailChangeNew || call.settings.oneTime.secureEmailChange else {
            throw AuthError(.invalidRequest, reason: "the current address is not asked", field: "type")
        }
        try Self.requireFree(newEmail, nil, nil, for: user.id, call, tx)
        if user.pendingEmail != newEmail {
            try tx.deleteOneTimeTokens(
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
        case .recovery, .phoneSignIn, .phoneChange, .reauthentication: .recoveryRequested
        }
    }
}
