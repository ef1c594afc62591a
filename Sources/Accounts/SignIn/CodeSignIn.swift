// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Signs in by a code that is sent to whoever is named, for protocols in which a sign-in begins with a name and a way
/// is chosen afterwards.
///
/// A code goes to an address or a number that its user has proved, and nowhere else. Names that nobody has are answered
/// alike, at the same cost.
public struct CodeSignIn: Sendable {
    /// By what a code is sent.
    public enum Channel: String, Sendable {
        case mail
        case textMessage = "text"
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What the client brings back when a way was chosen. By itself it proves nothing.
    public func named(_ identifier: SignInIdentifier, call: CallContext) throws(AuthError) -> Secret<String> {
        try SealedName(identifier, .named, until: call.now + Self.lifetime(call), call: call)
            .sealed(in: call.directory, random: ports.random)
    }

    /// Whether the text was given for this name by ``named(_:call:)``.
    ///
    /// - Throws: ``AuthErrorCode/flowStateNotFound``, ``AuthErrorCode/flowStateExpired``.
    public func require(_ session: String, names identifier: SignInIdentifier, call: CallContext) throws(AuthError) {
        try SealedName.require(session, identifier, .named, call: call)
    }

    /// Sends a code.
    ///
    /// - Returns: what the client brings back with it, and whether it was sent, which nobody is told who may not know
    ///   who has an account.
    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled`` where the Directory signs
    ///   nobody in so; ``AuthErrorCode/mailRateLimited``, ``AuthErrorCode/messageRateLimited``,
    ///   ``AuthErrorCode/textMessagesUnavailable`` for everybody alike.
    public func send(
        to identifier: SignInIdentifier, by channel: Channel, call: CallContext
    ) async throws -> (session: Secret<String>, isSent: Bool) {
        try call.requireEnabled(identifier)
        try Self.requireEnabled(channel, call)
        let placeholder = try Self.placeholder(identifier, channel)
        try ports.requireReach(placeholder, call: call)
        try await call.requireKnownTerms(ports.store)
        try await ports.limits.requireRoom(
            forProvenBy: placeholder.channel, call: call, store: ports.store)
        let isSent = try await ports.limits.wishing(call) {
            try await ports.writeBriefly(call) { step in
                try step.ports.limits.countWish(for: identifier, call: call, in: step.tx)
                let user = try step.tx.user(known: identifier, in: step.directory)
                let known = Self.recipient(of: user, channel)
                let request = ProofRequest(
                    purpose: channel.purpose, recipient: known ?? placeholder, action: .magicLinkRequested)
                return try request.fulfil(for: known == nil ? nil : user, step)
            }
        }
        let session = try SealedName(identifier, channel.stage, until: call.now + Self.lifetime(call), call: call)
            .sealed(in: call.directory, random: ports.random)
        return (session, isSent)
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound``, ``AuthErrorCode/flowStateExpired`` for what the client brings
    ///   back; ``AuthErrorCode/oneTimeTokenInvalid``, ``AuthErrorCode/userBanned``.
    public func finish(
        _ session: String, of identifier: SignInIdentifier, by channel: Channel, code: String, call: CallContext
    ) async throws -> SignInStep {
        try SealedName.require(session, identifier, channel.stage, call: call)
        let outcome = try await VerifyProof(ports)(
            .codeOfAccount(identifier, code), purposes: [channel.purpose], call: call)
        guard case .signedIn(let step) = outcome else { throw AuthError(.oneTimeTokenInvalid) }
        return step
    }

    private static func lifetime(_ call: CallContext) -> TimeSpan {
        call.client?.settings.stepLifetime.map { .seconds($0) } ?? call.stepLifetime ?? .minutes(3)
    }

    private static func requireEnabled(_ channel: Channel, _ call: CallContext) throws(AuthError) {
        switch channel {
        case .mail:
            guard call.settings.signUp.emailEnabled, call.settings.signUp.emailLinkEnabled else {
                throw AuthError(.emailSignInDisabled)
            }
        case .textMessage:
            guard call.settings.signUp.phoneEnabled else { throw AuthError(.phoneSignInDisabled) }
        }
    }

    private static func recipient(of user: User?, _ channel: Channel) -> Recipient? {
        guard let user else { return nil }
        switch channel {
        case .mail: return user.emailVerifiedAt == nil ? nil : user.email.map { .email($0) }
        case .textMessage: return user.phoneVerifiedAt == nil ? nil : user.phone.map { .phone($0) }
        }
    }

    /// Stands for an address that nobody has.
    private static func placeholder(_ identifier: SignInIdentifier, _ channel: Channel) throws -> Recipient {
        switch (channel, identifier.ownRecipient) {
        case (.mail, .email(let address)): .email(address)
        case (.textMessage, .phone(let number)): .phone(number)
        case (.mail, _): .email(try EmailAddress("nobody@example.invalid"))
        case (.textMessage, _): .phone(try PhoneNumber("+15555550100"))
        }
    }
}

extension CodeSignIn.Channel {
    fileprivate var purpose: OneTimeToken.Purpose {
        switch self {
        case .mail: .magicLink
        case .textMessage: .phoneSignIn
        }
    }

    fileprivate var stage: SealedName.Stage {
        switch self {
        case .mail: .mailed
        case .textMessage: .texted
        }
    }
}
