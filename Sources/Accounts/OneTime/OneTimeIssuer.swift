// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Makes one-time proofs, remembers their hashes, and puts the messages that carry them into the outbox.
public struct OneTimeIssuer {
    /// What a proof says of the account that it may open.
    public struct Opening: Sendable {
        /// What was agreed to; `nil` for what the call says.
        var agreed: AgreedTerms?
        /// A program of the operator's wants whoever has it disabled.
        var isDisabled = false

        public init() {}
    }

    private let step: FlowStep

    public init(_ step: FlowStep) {
        self.step = step
    }

    /// Makes a proof and enqueues the message with it. Takes the place of the user's older one of the same purpose.
    ///
    /// Stamps `user.sent`; the caller writes the user in the same transaction.
    ///
    /// - Parameters:
    ///   - redirectTo: As the request named it; checked here against the allow-list.
    ///   - codeChallenge: The `S256` challenge of a PKCE request: the link then yields an authorization code.
    ///   - signUp: The sign-up that whoever answers the message confirms.
    ///   - opening: What goes with the proof where it opens an account.
    ///   - isHolders: Whether the account's holder, or an operator, asks for it, and not only whoever named the
    ///     address: see ``OneTimeToken/isHolders``.
    ///   - isReal: Off for ``Nobody``: the message then goes nowhere.
    /// - Returns: The proof, for callers that tell the operator.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a malformed challenge.
    @discardableResult
    public func send(
        _ purpose: OneTimeToken.Purpose, to user: inout User, recipient: Recipient, redirectTo: String?,
        codeChallenge: String?, signUp: SignUpAttempt? = nil, opening: Opening = Opening(), isHolders: Bool = false,
        isReal: Bool = true
    ) throws -> IssuedProof {
        let proof = try make(
            purpose, for: &user, recipient: recipient, redirectTo: redirectTo, codeChallenge: codeChallenge,
            signUp: signUp, opening: opening, isHolders: isHolders, isReal: isReal)
        let message = try message(purpose, proof, user: user, recipient: recipient)
        let isOwed = isReal && testCode(recipient) == nil
        try step.tx.enqueue(isOwed ? message : Nobody.message(message, step.call))
        return proof
    }

    /// As ``send(_:to:recipient:redirectTo:codeChallenge:signUp:opening:isHolders:isReal:)``, but the caller hands over
    /// the proof itself.
    public func make(
        _ purpose: OneTimeToken.Purpose, for user: inout User, recipient: Recipient, redirectTo: String?,
        codeChallenge: String?, signUp: SignUpAttempt? = nil, opening: Opening = Opening(), isHolders: Bool = false,
        isReal: Bool = true
    ) throws -> IssuedProof {
        let call = step.call
        let challenge = try PKCE.checked(codeChallenge).flatMap(CodeChallenge.init)
        try restartHalfConfirmedChange(purpose, of: &user)
        let proof = draw(purpose, recipient, redirectTo: redirectTo)
        let expiry = call.now + call.linkLifetime(purpose)
        try step.tx.replace(
            OneTimeToken(
                id: step.identifier(), directoryID: call.directory.id, userID: user.id,
                purpose: purpose, linkHash: OneTimeToken.hash(link: proof.linkToken),
                codeHash: OneTimeToken.hash(
                    code: proof.code, of: user.id, purpose: purpose, under: call.directory.tokenKey),
                // Of nobody not even that is kept whom somebody asked about.
                recipient: isReal ? recipient.address : Nobody.blank(recipient.address), codeChallenge: challenge,
                signUp: signUp?.id,
                // A sign-up keeps its own.
                agreed: signUp == nil && purpose.signsIn ? opening.agreed ?? call.agreed : nil,
                isDisabled: opening.isDisabled, isHolders: isHolders, askedBy: OneTimeToken.asker(call),
                createdAt: call.now, expiresAt: expiry,
                codeExpiresAt: call.now + call.codeLifetime(purpose)))
        Self.stamp(&user, purpose, at: call.now)
        return proof
    }

    /// Starts a change of email address: replaces any change under way, and sends a proof to the wanted address and,
    /// where the Directory is set so, to the one the user has.
    @discardableResult
    public func sendEmailChange(
        to newEmail: EmailAddress, of user: inout User, redirectTo: String?, codeChallenge: String?
    ) throws -> [IssuedProof] {
        user.pendingEmail = newEmail
        user.pendingEmailHalfConfirmed = false
        // What an earlier change sent out must not count for this one.
        try step.tx.deleteOneTimeTokens(
            of: user.id, in: step.directory, purposes: [.emailChangeCurrent, .emailChangeNew])
        var proofs: [IssuedProof] = []
        if let current = user.email, step.settings.oneTime.secureEmailChange {
            proofs.append(
                try send(
                    .emailChangeCurrent, to: &user, recipient: .email(current), redirectTo: redirectTo,
                    codeChallenge: codeChallenge))
        }
        proofs.append(
            try send(
                .emailChangeNew, to: &user, recipient: .email(newEmail), redirectTo: redirectTo,
                codeChallenge: codeChallenge))
        return proofs
    }

    /// The messages that ``sendEmailChange(to:of:redirectTo:codeChallenge:)`` sends, as limits count them.
    static func emailChangeMessages(to newEmail: EmailAddress, of user: User, call: CallContext) -> [SentMessage] {
        var messages = [
            SentMessage(
                kind: .proof(.emailChangeNew), recipient: .email(newEmail), isProven: false, account: user.id)
        ]
        if let current = user.email, call.settings.oneTime.secureEmailChange {
            let recipient = Recipient.email(current)
            messages.append(
                SentMessage(
                    kind: .proof(.emailChangeCurrent), recipient: recipient, isProven: recipient.isProven(for: user),
                    account: user.id))
        }
        return messages
    }

    /// Does the work of ``send(_:to:recipient:redirectTo:codeChallenge:signUp:opening:isHolders:isReal:)`` and keeps
    /// nothing of it, so that an address nobody has costs what a known one does.
    func rehearse(_ purpose: OneTimeToken.Purpose, recipient: Recipient, redirectTo: String?) throws {
        let nobody = User(id: step.random.identifier(), directoryID: step.directory, createdAt: step.now)
        let proof = draw(purpose, recipient, redirectTo: redirectTo)
        _ = OneTimeToken.hash(link: proof.linkToken)
        _ = OneTimeToken.hash(code: proof.code, of: nobody.id, purpose: purpose, under: step.call.directory.tokenKey)
        _ = try message(purpose, proof, user: nobody, recipient: recipient)
    }

    /// A change of address whose one half has agreed keeps the other half's proof outstanding. Asking the half that has
    /// agreed once more must not let it agree for the other.
    private func restartHalfConfirmedChange(_ purpose: OneTimeToken.Purpose, of user: inout User) throws {
        guard purpose == .emailChangeCurrent || purpose == .emailChangeNew, user.pendingEmailHalfConfirmed,
            try step.tx.oneTimeToken(of: user.id, purpose: purpose, in: user.directoryID) == nil
        else { return }
        user.pendingEmailHalfConfirmed = false
    }

    private func testCode(_ recipient: Recipient) -> String? {
        guard case .phone(let number) = recipient else { return nil }
        return step.settings.oneTime.testCode(for: number, at: step.now)
    }

    private func draw(
        _ purpose: OneTimeToken.Purpose, _ recipient: Recipient, redirectTo: String?
    ) -> IssuedProof {
        let call = step.call
        let tokenHash = Hex.encode(step.random.bytes(OneTimeToken.linkTokenLength))
        let token = OneTimeToken.linkToken(of: tokenHash)
        let code =
            testCode(recipient) ?? step.random.digits(min(max(call.settings.oneTime.codeLength, 6), 10))
        let destination =
            RedirectPolicy(call.settings).resolve(redirectTo, keepsFragment: call.links.keepsFragment)
            ?? call.links.home(of: call.directory)
        let address = purpose.opensOwnPage ? nil : call.settings.mail.appLinks[purpose.messageName]
        let direct = address.flatMap {
            call.links.appLink(
                $0, for: purpose, token: token, tokenHash: tokenHash, redirectTo: destination, in: call.directory)
        }
        let link =
            direct ?? call.links.link(for: purpose, token: token, redirectTo: destination, in: call.directory)
        return IssuedProof(
            link: link, linkToken: token, tokenHash: tokenHash, code: code, redirectTo: destination)
    }

    private func message(
        _ purpose: OneTimeToken.Purpose, _ proof: IssuedProof, user: User, recipient: Recipient
    ) throws -> OutboxMessage {
        let (messages, call) = (step.ports.messages, try step.addressing(user))
        return switch recipient {
        case .email(let address):
            try messages.mail(for: purpose, to: address, proof: proof, user: user, call: call)
        case .phone(let number):
            messages.text(for: purpose, to: number, code: proof.code, user: user, call: call)
        }
    }

    private static func stamp(_ user: inout User, _ purpose: OneTimeToken.Purpose, at now: Instant) {
        switch purpose {
        case .signUpConfirmation, .phoneSignIn: user.sent.confirmation = now
        case .invitation:
            user.sent.confirmation = now
            user.invitedAt = now
        case .magicLink, .recovery: user.sent.recovery = now
        case .emailChangeCurrent, .emailChangeNew: user.sent.emailChange = now
        case .phoneChange: user.sent.phoneChange = now
        case .reauthentication: user.sent.reauthentication = now
        // A stranger's doing, of which the account says nothing; and what changes nothing about it.
        case .unlock, .export, .factorRecoveryStop: return
        }
        user.updatedAt = now
    }
}
