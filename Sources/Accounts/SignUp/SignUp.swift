// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Passwords

/// Makes an account with a password, which is the account's once a message of this very sign-up has been answered: see
/// ``SignUpAttempt``.
///
/// A stranger can't find out which addresses have accounts: a registered one gets an answer of the same form after the
/// same work, and its owner a mail. (Where addresses are confirmed without a mail, that can't be hidden.)
public struct SignUp: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/signUpDisabled``, ``AuthErrorCode/emailSignInDisabled``,
    ///   ``AuthErrorCode/phoneSignInDisabled``, ``AuthErrorCode/weakPassword``, ``AuthErrorCode/invalidRequest`` for a
    ///   malformed challenge or an identifier that is neither address nor number, ``AuthErrorCode/usernameExists``,
    ///   ``AuthErrorCode/overloaded``, and with automatic confirmation, or a session at once,
    ///   ``AuthErrorCode/emailExists`` or ``AuthErrorCode/phoneExists``; without it ``AuthErrorCode/mailRateLimited``
    ///   or ``AuthErrorCode/messageRateLimited``, with the time to wait, for an address that somebody has just signed
    ///   up with from where the caller is; for a number ``AuthErrorCode/textMessagesUnavailable``.
    public func callAsFunction(_ command: SignUpCommand, call: CallContext) async throws -> SignUpOutcome {
        let settings = call.settings.signUp
        guard settings.enabled else { throw AuthError(.signUpDisabled) }
        try await call.requireKnownTerms(ports.store)
        try call.requireEnabled(command.identifier)
        // Judged first, so that a malformed one is refused whether or not the address it comes with is known.
        _ = try PKCE.checked(command.codeChallenge)
        try call.requireAcceptable(metadata: command.userMetadata, attributes: command.attributes)
        if case .username(let name) = command.identifier {
            return try await NamedSignUp(ports)(name, command, call: call)
        }
        guard let recipient = command.identifier.ownRecipient else {
            throw AuthError(.invalidRequest, reason: "an address or a number is needed", field: "email")
        }
        let confirmsItself = command.identifier.email != nil ? settings.emailAutoConfirm : settings.phoneAutoConfirm
        if !confirmsItself, !opensUnverified(command, call), command.sends(to: recipient) {
            try ports.requireReach(recipient, call: call)
            try await ports.limits.requireRoom(forUnprovedBy: recipient.channel, call: call, store: ports.store)
        }
        try call.requireAcceptable(command.password, email: command.identifier.email)
        let id: UserID = ports.random.identifier()
        // An account that was never confirmed is given the password as a new one is, at the same cost.
        let known =
            call.settings.password.srpEnabled
            ? try await ports.store.read { try $0.user(known: command.identifier, in: call.directory.id)?.id } : nil
        let new = try await NewPassword(command.password, for: known ?? id, call: call, ports: ports)
        let outcome: SignUpOutcome
        do {
            outcome = try await ports.transact(call) { try signUp(command, recipient, id, new, $0) }
        } catch StoreConflict.duplicate {
            // Two sign-ups of one address at once: the other was first, so this one finds its account.
            outcome = try await ports.write(call) { try signUp(command, recipient, id, new, $0) }
        }
        return outcome
    }

    /// Counts what is sent to the address or number that somebody signs up with.
    private func count(_ command: SignUpCommand, _ recipient: Recipient, _ step: FlowStep) throws {
        guard command.sends(to: recipient) else { return }
        try step.ports.limits.require(Self.confirmation(to: recipient), call: step.call, in: step.tx)
    }

    private static func confirmation(to recipient: Recipient) -> SentMessage {
        SentMessage(kind: .proof(.signUpConfirmation), recipient: recipient, isProven: false, account: nil)
    }

    private func signUp(
        _ command: SignUpCommand, _ recipient: Recipient, _ id: UserID, _ new: NewPassword,
        _ step: FlowStep
    ) throws -> SignUpOutcome {
        let (call, tx) = (step.call, step.tx)
        let isEmail = command.identifier.email != nil
        let changes = try changes(by: command, id, step)
        var command = command
        command.userMetadata = changes.reduce(command.userMetadata) { $0.merging($1.changes.profile) }
        let automatic = isEmail ? call.settings.signUp.emailAutoConfirm : call.settings.signUp.phoneAutoConfirm
        let isProved = changes.contains { isEmail ? $0.changes.provesEmail : $0.changes.provesPhone }
        let confirmsItself =
            automatic || isProved || call.knowsConfirmedAccounts && changes.contains { $0.changes.confirmsAccount }
        let existing = try tx.user(known: command.identifier, in: call.directory.id)
        let isClaimed = try existing?.isClaimed(tx) ?? false
        if confirmsItself {
            guard !isClaimed else { throw AuthError(isEmail ? .emailExists : .phoneExists) }
            return try confirmed(existing, command, id, new, changes, proves: automatic || isProved, step)
        }
        if opensUnverified(command, call) {
            guard !isClaimed, existing?.passwordHash == nil else {
                throw AuthError(isEmail ? .emailExists : .phoneExists)
            }
            return try opened(existing, command, id, new, changes, step)
        }
        let attempts = try SignUpAttempts(of: existing?.id ?? id, call: call, in: tx)
        if let existing, isClaimed, !command.conceals {
            return .concealed(
                try conceal(existing, attempts, command, recipient, isTold: attempts.wait != nil, step))
        }
        // Told to wait, like everybody, rather than let believe that a message is on its way.
        if let wait = attempts.wait {
            throw AuthError(
                isEmail ? .mailRateLimited : .messageRateLimited, reason: "signed up just now", retryAfter: wait)
        }
        if let existing, isClaimed {
            return .concealed(try conceal(existing, attempts, command, recipient, isTold: false, step))
        }
        var user = try existing ?? open(command, id, changes, step)
        let attempt = try attempt(command, for: user.id, new, changes, step)
        try keep(attempt, among: attempts, in: tx)
        guard command.sends(to: recipient) else {
            try step.record(existing == nil ? .signedUp : .signUpRepeated, user)
            return .unconfirmed(try fresh(user.id, command, step))
        }
        try OneTimeIssuer(step).send(
            .signUpConfirmation, to: &user, recipient: recipient, redirectTo: command.redirectTo,
            codeChallenge: command.codeChallenge, signUp: attempt, isHolders: true)
        user = try tx.update(user)
        try count(command, recipient, step)
        try step.record(existing == nil ? .confirmationRequested : .signUpRepeated, user)
        return .confirmationSent(try fresh(user.id, command, step))
    }

    /// The account of an address that counts as confirmed without a message.
    ///
    /// - Parameter proves: whether the address counts as proved too.
    private func confirmed(
        _ existing: User?, _ command: SignUpCommand, _ id: UserID, _ new: NewPassword, _ changes: [Changes],
        proves: Bool, _ step: FlowStep
    ) throws -> SignUpOutcome {
        var user = try existing ?? open(command, id, changes, step)
        try attempt(command, for: user.id, new, changes, step)
            .settle(on: &user, proving: command.identifier.email == nil ? .phone : .email, step)
        if existing != nil { try take(changes, into: &user, step) }
        switch (proves, command.identifier.email) {
        case (false, _): user.confirmedAt = step.now
        case (true, nil): user.phoneVerifiedAt = step.now
        case (true, _): user.emailVerifiedAt = step.now
        }
        try AddressClaims(step).requireUnique(user)
        user.updatedAt = step.now
        try LocalIdentities(step).align(&user)
        user = try step.tx.update(user)
        try step.record(.signedUp, user)
        step.followConfirmation(of: user)
        let proof = SignInProof(.password, at: step.now, identifier: command.identifier)
        return .signedIn(try SessionIssuer(step).conclude(proof, of: user, .stored).get())
    }

    private func opensUnverified(_ command: SignUpCommand, _ call: CallContext) -> Bool {
        command.signsInUnverified && call.opensUnverified
    }

    /// An account that has its password at once, though nobody has proved its address. The sign-ups of others with this
    /// address stay as they are: whoever answers the message of theirs takes the account.
    private func opened(
        _ existing: User?, _ command: SignUpCommand, _ id: UserID, _ new: NewPassword, _ changes: [Changes],
        _ step: FlowStep
    ) throws -> SignUpOutcome {
        var user = try existing ?? open(command, id, changes, step)
        try user.describe(metadata: command.userMetadata, attributes: command.attributes, call: step.call)
        if existing != nil { try take(changes, into: &user, step) }
        // Refused below, and with that undone.
        if changes.contains(where: { $0.changes.isDisabled == true }) { user.bannedUntil = User.forever }
        user.open(by: try attempt(command, for: user.id, new, changes, step))
        try AgreementLog.noteSignUp(of: user, step)
        try step.record(.signedUp, user, details: ["verified": false])
        let proof = SignInProof(.password, at: step.now, identifier: command.identifier)
        return .signedIn(try SessionIssuer(step).conclude(proof, of: user, .changed).get())
    }

    /// An account without a password, which others may sign up for too: that and whether it is to be disabled is the
    /// sign-up's until its message is answered.
    private func open(
        _ command: SignUpCommand, _ id: UserID, _ changes: [Changes], _ step: FlowStep
    ) throws -> User {
        var user = try step.newUser(id)
        user.take(command, step.settings)
        try user.describe(metadata: command.userMetadata, attributes: command.attributes, call: step.call)
        try take(changes, into: &user, step)
        user.name(providers: LocalIdentities.providers(of: user))
        try step.tx.insert(user)
        for identity in identities(of: user, step) { try step.tx.insert(identity) }
        step.followCreation(of: user)
        return user
    }

    private typealias Changes = (dialect: DialectName, changes: HookChanges)

    /// Also into an account that was nobody's and becomes this sign-up's: what was said is said of whoever has it from
    /// now on.
    private func take(_ changes: [Changes], into user: inout User, _ step: FlowStep) throws {
        for (dialect, changes) in changes { try user.take(changes, of: dialect, step) }
    }

    /// What the operator's programs say of a sign-up. They are asked whether or not there is such an account: who asks
    /// for a refusal must not find out.
    private func changes(by command: SignUpCommand, _ id: UserID, _ step: FlowStep) throws -> [Changes] {
        guard let run = step.run else { return [] }
        let provider = command.identifier.email != nil ? LocalIdentities.email : LocalIdentities.phone
        var record = try fresh(id, called: run.identifiers, command, step)
        record.user.sent.confirmation = nil
        let subject = HookQuestion.Subject(record.user, record.identities)
        return try step.ask(.signUp(subject, provider: provider, isInvited: false))
    }

    private func attempt(
        _ command: SignUpCommand, for user: UserID, _ new: NewPassword, _ changes: [Changes], _ step: FlowStep
    ) throws -> SignUpAttempt {
        var described = User(id: user, directoryID: step.directory, createdAt: step.now)
        try described.describe(metadata: command.userMetadata, attributes: command.attributes, call: step.call)
        // Kept with the sign-up: the account may be another's yet, and is this one's once its message is answered.
        for (dialect, changes) in changes {
            try described.write([:], changes.attributes ?? [:], in: dialect, step.settings)
        }
        return SignUpAttempt(
            id: step.identifier(), directoryID: step.directory, userID: user,
            passwordHash: new.hash, srpVerifier: try new.verifier(for: user, step),
            phone: command.phone, email: command.email, userMetadata: described.userMetadata,
            dialectData: described.dialectData,
            isDisabled: changes.contains { $0.changes.isDisabled == true },
            agreed: step.call.agreed, truncatedAddress: step.call.device.truncatedAddress, createdAt: step.now)
    }

    private func keep(_ attempt: SignUpAttempt, among attempts: SignUpAttempts, in tx: any StoreWriting) throws {
        if let displaced = attempts.displaced { try tx.deleteSignUpAttempt(displaced.id, in: displaced.directoryID) }
        try tx.insert(attempt)
    }

    /// A user of the form that a fresh sign-up would have, and a mail to the real one, of whose account nothing is
    /// changed.
    private func conceal(
        _ owner: User, _ attempts: SignUpAttempts, _ command: SignUpCommand, _ recipient: Recipient,
        isTold: Bool, _ step: FlowStep
    ) throws -> UserRecord {
        try OneTimeIssuer(step).rehearse(
            .signUpConfirmation, recipient: recipient, redirectTo: command.redirectTo)
        if !isTold {
            try keep(
                SignUpAttempt(
                    id: step.identifier(), directoryID: owner.directoryID, userID: owner.id,
                    truncatedAddress: step.call.device.truncatedAddress, createdAt: step.now),
                among: attempts, in: step.tx)
            if let email = command.identifier.email {
                try OwnerNotice(step).tellOfAttempt(at: email, of: owner, in: Self.confirmation(to: recipient))
            }
            // An owner's notice weighs no more than a confirmation would have, and one that is not sent nothing.
            try count(command, recipient, step)
        }
        try step.record(.signUpRepeated, owner)
        return try fresh(step.call.directory.derivedIdentifier("user", of: recipient.address), command, step)
    }

    /// What a first sign-up is answered, whatever there is already: an account's age and what others wrote into it are
    /// not for whoever happens to name its address.
    private func fresh(
        _ id: UserID, called identifiers: ExternalIdentifiers = ExternalIdentifiers(), _ command: SignUpCommand,
        _ step: FlowStep
    ) throws -> UserRecord {
        var user = User(
            id: id, directoryID: step.directory, externalIdentifiers: identifiers, createdAt: step.now)
        user.take(command, step.settings)
        try user.describe(metadata: command.userMetadata, attributes: command.attributes, call: step.call)
        user.sent.confirmation = step.now
        user.name(providers: LocalIdentities.providers(of: user))
        return UserRecord(user: user, identities: identities(of: user, step))
    }

    /// The identities of a new user. Their identifiers follow from the user's, so that every answer names the same
    /// ones.
    private func identities(of user: User, _ step: FlowStep) -> [Identity] {
        LocalIdentities.made(for: user, at: step.now)
            .map { made in
                var identity = made
                identity.id = step.call.directory.derivedIdentifier(made.provider, of: user.id.rawValue)
                return identity
            }
    }
}

extension User {
    /// Writes how the user named themselves. What they are not called by may be others' too, where the Directory lets
    /// it.
    fileprivate mutating func take(_ command: SignUpCommand, _ settings: DirectorySettings) {
        switch command.identifier {
        case .email(let address):
            email = address
            sharesPhone = !settings.signUp.uniquePhones
        case .phone(let number):
            phone = number
            email = command.email
            sharesEmail = email != nil || !settings.signUp.uniqueEmails
        case .username, .user: break
        }
        pendingPhone = command.phone
    }
}
