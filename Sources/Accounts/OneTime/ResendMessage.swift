// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Sends a confirmation once more, with a new link and code; the earlier ones end. Of the sign-ups with one address it
/// is the caller's own (``SignUpAttempts/own``). Where there is none, the message proves the address and nothing else:
/// anybody may ask for it, and the owner who answers takes the account from whoever opened it (ADR 0089).
public struct ResendMessage: Sendable {
    public enum Subject: Sendable, Hashable, CaseIterable {
        case signUpConfirmation
        case emailChange
        case phoneSignIn
        case phoneChange

        fileprivate var channel: Recipient.Channel {
            switch self {
            case .signUpConfirmation, .emailChange: .mail
            case .phoneSignIn, .phoneChange: .sms
            }
        }
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Returns alike whether there is something to send or not.
    ///
    /// - Parameter identifier: The address or number that the user has now, not the one they want; or their name, and
    ///   the message then goes to the address or number that has still to be confirmed.
    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``,
    ///   ``AuthErrorCode/invalidRequest`` for a malformed challenge, or an identifier that `subject` can't be about;
    ///   for everybody alike ``AuthErrorCode/mailRateLimited`` or ``AuthErrorCode/messageRateLimited`` while the
    ///   Directory may send nothing more to people who have proved nothing, and in a dialect that tells
    ///   (``MessageHabits/tellsLimits``) to whoever asks too often; for a number
    ///   ``AuthErrorCode/textMessagesUnavailable``.
    /// - Returns: Whether a message was sent, which nobody is told who may not know who has an account.
    @discardableResult
    public func callAsFunction(
        _ subject: Subject, to identifier: SignInIdentifier, redirectTo: String? = nil, codeChallenge: String? = nil,
        call: CallContext
    ) async throws -> Bool {
        switch (subject, identifier) {
        case (.signUpConfirmation, .email), (.emailChange, .email), (.phoneSignIn, .phone), (.phoneChange, .phone),
            (_, .username), (_, .user):
            try call.requireEnabled(identifier)
        case (.signUpConfirmation, .phone), (.emailChange, .phone), (.phoneSignIn, .email), (.phoneChange, .email):
            throw AuthError(.invalidRequest, reason: "identifier of another kind", field: "type")
        }
        try ports.requireReach(identifier.ownRecipient, call: call)
        try await call.requireKnownTerms(ports.store)
        let challenge = try PKCE.checked(codeChallenge)
        // What is sent again goes to somebody who has still to prove that it reaches them.
        try await ports.limits.requireRoom(
            forUnprovedBy: subject.channel, call: call, store: ports.store)
        return try await ports.limits.wishing(call) {
            try await ports.write(call) { step in
                try step.ports.limits.countWish(for: identifier, call: call, in: step.tx)
                return try send(subject, to: identifier, redirectTo, challenge, step)
            }
        }
    }

    private func send(
        _ subject: Subject, to identifier: SignInIdentifier, _ redirectTo: String?, _ challenge: String?,
        _ step: FlowStep
    ) throws -> Bool {
        let user = try step.tx.user(known: identifier, in: step.directory)
        let (subject, known) = Self.resolve(subject, identifier, user)
        var request = ProofRequest(
            purpose: .signUpConfirmation, recipient: try known ?? identifier.placeholder(), redirectTo: redirectTo,
            codeChallenge: challenge, repeats: true, isByName: identifier.ownRecipient == nil,
            action: .confirmationRequested)
        var recipient = known == nil ? nil : user
        // Looked for whoever it is, so that both ways take the same steps.
        let attempts = try SignUpAttempts(of: user?.id ?? step.random.identifier(), call: step.call, in: step.tx)
        let signUp = attempts.own
        switch subject {
        case .signUpConfirmation:
            if user?.emailVerifiedAt != nil { recipient = nil }
            request.signUp = signUp
            // By a name that nobody but its holder has; its address is no name of the account's.
            request.isHolders = user.map { $0.username != nil && $0.sharesEmail } ?? false
        case .phoneSignIn:
            // An account that began with a code has no password; its code is one that signs in.
            if user?.passwordHash == nil, attempts.all.isEmpty { request.purpose = .phoneSignIn }
            request.signUp = signUp
            request.isHolders = user.map { $0.username != nil && $0.sharesPhone } ?? false
            if user?.phoneVerifiedAt != nil { recipient = nil }
        case .phoneChange:
            request.purpose = .phoneChange
            if let pending = user?.pendingPhone { request.recipient = .phone(pending) } else { recipient = nil }
        case .emailChange:
            request.action = .emailChangeRequested
            return try resendEmailChange(request, for: user, step)
        }
        return try request.fulfil(for: recipient, step)
    }

    /// What a user who was named by other than an address is to be sent, and where: a sign-up that began with a number
    /// is confirmed by text message.
    private static func resolve(
        _ subject: Subject, _ identifier: SignInIdentifier, _ user: User?
    ) -> (Subject, Recipient?) {
        if let own = identifier.ownRecipient { return (subject, own) }
        guard let user else { return (subject, nil) }
        let email = user.email.map { Recipient.email($0) }
        let phone = user.phone.map { Recipient.phone($0) }
        switch subject {
        case .signUpConfirmation where email == nil, .phoneSignIn: return (.phoneSignIn, phone)
        case .phoneChange: return (.phoneChange, phone ?? user.pendingPhone.map { .phone($0) })
        case .signUpConfirmation, .emailChange: return (subject, email)
        }
    }

    /// Where one side has agreed already, only the other is asked again; else both are.
    private func resendEmailChange(
        _ template: ProofRequest, for user: User?, _ step: FlowStep
    ) throws -> Bool {
        let tx = step.tx
        var request = template
        request.purpose = .emailChangeNew
        // An address that has become another's can't be confirmed: its owner is not to be bothered with it.
        guard var user, let wanted = user.pendingEmail,
            try AddressClaims(step).owner(of: wanted, against: user)?.isOwned(.email, tx) != true
        else {
            return try request.fulfil(for: nil, step)
        }
        if user.pendingEmailHalfConfirmed {
            let isCurrentOpen =
                try tx.oneTimeToken(of: user.id, purpose: .emailChangeCurrent, in: step.directory) != nil
            let isNewOpen = try tx.oneTimeToken(of: user.id, purpose: .emailChangeNew, in: step.directory) != nil
            if isNewOpen, !isCurrentOpen {
                request.recipient = .email(wanted)
                return try request.fulfil(for: user, step)
            }
            if isCurrentOpen, !isNewOpen {
                request.purpose = .emailChangeCurrent
                return try request.fulfil(for: user, step)
            }
        }
        request.recipient = .email(wanted)
        guard try !request.isTooSoon(for: user, step) else {
            return try request.fulfil(for: user, step)
        }
        guard try takeAll(OneTimeIssuer.emailChangeMessages(to: wanted, of: user, call: step.call), step) else {
            return try request.fulfil(for: nil, step)
        }
        try OneTimeIssuer(step).sendEmailChange(
            to: wanted, of: &user, redirectTo: request.redirectTo, codeChallenge: request.codeChallenge)
        try tx.update(user)
        try request.record(user.id, step)
        return true
    }

    /// Counts both of a change's messages or none, and whether they may be sent.
    private func takeAll(_ messages: [SentMessage], _ step: FlowStep) throws -> Bool {
        let limits = step.ports.limits
        var taken: [SentMessage] = []
        for message in messages {
            guard try limits.mayReceive(message, call: step.call, in: step.tx),
                try limits.take(message, call: step.call, in: step.tx)
            else {
                for earlier in taken { try limits.withdraw(earlier, call: step.call, in: step.tx) }
                return false
            }
            taken.append(message)
        }
        return true
    }
}
