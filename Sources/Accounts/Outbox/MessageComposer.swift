// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// Writes the messages that flows put into the outbox, in the caller's language and the Directory's wording.
///
/// Each goes to exactly one address, whose type admits no line break, and its links come from configuration alone.
public struct MessageComposer: Sendable {
    private let defaults: MailTemplates
    private let random: any RandomSource

    /// - Parameter defaults: The built-in templates, for every kind that the Directory gives no wording of its own.
    public init(defaults: MailTemplates, random: any RandomSource) {
        self.defaults = defaults
        self.random = random
    }

    /// A mail that carries a proof.
    public func mail(
        for purpose: OneTimeToken.Purpose, to recipient: EmailAddress, proof: IssuedProof, user: User,
        call: CallContext
    ) throws -> OutboxMessage {
        var context = context(to: recipient, user: user, call: call)
        context.link = proof.link
        context.code = proof.code
        context.tokenHash = proof.linkToken
        context.redirectTo = proof.redirectTo
        var message = try mail(Self.kind(of: purpose), to: recipient, context: context, call: call)
        message.code = proof.code
        message.link = proof.link
        message.tokenHash = proof.linkToken
        return message
    }

    /// A mail that only tells something.
    public func notice(
        _ kind: MailKind, to recipient: EmailAddress, user: User, call: CallContext
    ) throws -> OutboxMessage {
        try mail(kind, to: recipient, context: context(to: recipient, user: user, call: call), call: call)
    }

    /// A text message that carries a code. It has no link: what comes by SMS is too easily forged to teach people to
    /// open links from it.
    public func text(
        for purpose: OneTimeToken.Purpose, to recipient: PhoneNumber, code: String, call: CallContext
    ) throws -> OutboxMessage {
        let name = Self.line(call.settings.mail.siteName)
        let text =
            switch call.language {
            case .german: "\(code) ist Ihr Code für \(name). Geben Sie ihn an niemanden weiter."
            default: "\(code) is your code for \(name). Do not share it with anyone."
            }
        return OutboxMessage(
            id: random.identifier(at: call.now), directoryID: call.directory.id, channel: .sms, kind: purpose.rawValue,
            recipient: recipient.e164, subject: "", text: text, code: code, dueAt: call.now, createdAt: call.now)
    }

    private func mail(
        _ kind: MailKind, to recipient: EmailAddress, context: MailContext, call: CallContext
    ) throws -> OutboxMessage {
        let templates = defaults
        let rendered = try templates.render(kind, context, language: call.language)
        return OutboxMessage(
            id: random.identifier(at: call.now), directoryID: call.directory.id, channel: .mail, kind: kind.rawValue,
            recipient: recipient.rawValue, subject: Self.line(rendered.subject), text: rendered.text,
            html: rendered.html, dueAt: call.now, createdAt: call.now)
    }

    private func context(to recipient: EmailAddress, user: User, call: CallContext) -> MailContext {
        var context = MailContext()
        return context
    }

    private static func kind(of purpose: OneTimeToken.Purpose) -> MailKind {
        switch purpose {
        case .signUpConfirmation, .phoneSignIn, .phoneChange: .confirmation
        case .invitation: .invitation
        case .magicLink: .magicLink
        case .recovery: .recovery
        case .emailChangeCurrent, .emailChangeNew: .emailChange
        case .reauthentication: .reauthentication
        }
    }

    /// A subject is one header line (RFC 5322, section 2.2).
    private static func line(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
