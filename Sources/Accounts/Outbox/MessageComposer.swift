// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Writes the messages that flows put into the outbox, in the Directory's wording and in the language of the call that
/// they are given: the recipient's, see ``FlowStep/addressing(_:)``.
///
/// Each goes to exactly one address, whose type admits no line break, and its links come from configuration alone.
public struct MessageComposer: Sendable {
    private let templates: TemplateCatalog
    private let random: any RandomSource

    /// - Parameter defaults: The templates for every kind of mail that a Directory gives no wording of its own.
    public init(defaults: MailTemplates, random: any RandomSource) {
        templates = TemplateCatalog(defaults: defaults)
        self.random = random
    }

    /// A mail that carries a proof.
    ///
    /// - Parameter time: when what it is about happens, where that is not now.
    /// - Throws: ``AuthErrorCode/internalFailure`` when the Directory's own templates can't be used.
    public func mail(
        for purpose: OneTimeToken.Purpose, to recipient: EmailAddress, proof: IssuedProof, user: User,
        at time: Instant? = nil, call: CallContext
    ) throws(AuthError) -> OutboxMessage {
        var context = context(to: recipient, user: user, call: call)
        context.newEmail = user.pendingEmail?.rawValue
        context.username = user.username?.rawValue ?? recipient.rawValue
        context.link = proof.link
        // What opens a page here is done by the link alone.
        let code = purpose.opensOwnPage ? nil : proof.code
        context.code = code
        context.tokenHash = proof.tokenHash
        context.time = (time ?? call.now).minute
        context.network = call.device.truncatedAddress
        context.device = call.device.knownName
        context.redirectTo = proof.redirectTo
        context.expiresInMinutes = call.linkLifetime(purpose).seconds / 60
        context.codeExpiresInMinutes = call.codeLifetime(purpose).seconds / 60
        var letter = try letter(Self.kind(of: purpose), to: recipient, about: user, context: context, call: call)
        letter.code = code
        letter.link = proof.link
        letter.tokenHash = proof.tokenHash
        return message(.mail(letter), call)
    }

    /// A mail that only tells something, such as ``Mail/MailKind/accountExists`` or ``Mail/MailKind/passwordChanged``.
    ///
    /// - Parameters:
    ///   - provider: what people call the identity provider that it is about.
    ///   - time: when what it is about happens, where it says so.
    ///   - link: by which its reader undoes it.
    /// - Throws: As ``mail(for:to:proof:user:call:)``.
    public func notice(
        _ kind: MailKind, to recipient: EmailAddress, user: User, provider: String? = nil, at time: Instant? = nil,
        link: NoticeLink? = nil, call: CallContext
    ) throws(AuthError) -> OutboxMessage {
        var context = context(to: recipient, user: user, call: call)
        context.provider = provider
        if let time {
            context.time = time.minute
            context.network = call.device.truncatedAddress
            context.device = call.device.knownName
        }
        if kind == .emailChanged { context.newEmail = (user.email ?? user.pendingEmail)?.rawValue ?? "" }
        context.link = link?.url
        context.expiresInMinutes = link.map { $0.lifetime.seconds / 60 }
        var letter = try letter(kind, to: recipient, about: user, context: context, call: call)
        letter.link = link?.url
        return message(.mail(letter), call)
    }

    /// A link of a mail that only tells something.
    public struct NoticeLink: Sendable {
        public var url: String
        /// For how long it works.
        public var lifetime: TimeSpan
    }

    /// A mail that gives a user the password that an administrator's program made for them.
    ///
    /// - Parameter name: What the user signs in as.
    /// - Throws: As ``mail(for:to:proof:user:call:)``.
    public func temporaryPassword(
        _ password: Secret<String>, name: String, to recipient: EmailAddress, user: User, call: CallContext
    ) throws(AuthError) -> OutboxMessage {
        var context = context(to: recipient, user: user, call: call)
        context.username = name
        context.code = password.reveal()
        var letter = try letter(.temporaryPassword, to: recipient, about: user, context: context, call: call)
        letter.code = password.reveal()
        return message(.mail(letter), call)
    }

    /// A message with a code that is a second factor.
    ///
    /// - Parameter minutes: for which the code works.
    /// - Throws: As ``mail(for:to:proof:user:call:)``.
    func factorCode(
        _ code: String, to recipient: Recipient, minutes: Int64, user: User, call: CallContext
    ) throws(AuthError) -> OutboxMessage {
        switch recipient {
        case .phone(let number):
            let kind = MailKind.factorCode.rawValue
            return text(codeText(code, kind, call), kind: kind, to: number, about: user, code: code, call: call)
        case .email(let address):
            var context = context(to: address, user: user, call: call)
            context.code = code
            context.expiresInMinutes = minutes
            context.codeExpiresInMinutes = minutes
            var letter = try letter(.factorCode, to: address, about: user, context: context, call: call)
            letter.code = code
            return message(.mail(letter), call)
        }
    }

    private func codeText(_ code: String, _ kind: String, _ call: CallContext) -> String {
        let name = Self.oneLine(call.settings.mail.siteName)
        let values = TextTemplates.Values(siteName: name, code: code)
        if let own = templates.templates(of: call.directory).texts.render(kind, in: call.language, values) {
            return own
        }
        return switch call.language {
        case .en: "\(code) is your code for \(name). Do not share it with anyone."
        case .de: "\(code) ist Ihr Code für \(name). Geben Sie ihn an niemanden weiter."
        }
    }

    /// A text message that carries a code. It has no link: what comes by SMS is too easily forged to teach people to
    /// open links from it.
    public func text(
        for purpose: OneTimeToken.Purpose, to recipient: PhoneNumber, code: String, user: User, call: CallContext
    ) -> OutboxMessage {
        text(
            codeText(code, purpose.messageName, call), kind: purpose.rawValue, to: recipient, about: user, code: code,
            call: call)
    }

    /// A text message that only tells something, as ``notice(_:to:user:provider:call:)`` does by mail. It names no
    /// address: a telephone shows it to whoever looks at it.
    func textNotice(
        _ kind: MailKind, to recipient: PhoneNumber, user: User, provider: String? = nil, at time: Instant? = nil,
        call: CallContext
    ) -> OutboxMessage {
        let name = Self.oneLine(call.settings.mail.siteName)
        let provider = Self.oneLine(provider ?? "")
        let values = TextTemplates.Values(siteName: name, provider: provider, time: time?.minute)
        let own = templates.templates(of: call.directory).texts.render(kind.rawValue, in: call.language, values)
        if let own { return text(own, kind: kind.rawValue, to: recipient, about: user, code: nil, call: call) }
        let notice = TextNotice(kind: kind, name: name, provider: provider, time: time?.minute ?? "")
        return text(
            notice.text(in: call.language), kind: kind.rawValue, to: recipient, about: user, code: nil, call: call)
    }

    private func text(
        _ text: String, kind: String, to recipient: PhoneNumber, about user: User, code: String?, call: CallContext
    ) -> OutboxMessage {
        message(.sms(Letter(kind: kind, recipient: recipient.e164, text: text, code: code, user: user.id)), call)
    }

    private func message(_ content: OutboxMessage.Content, _ call: CallContext) -> OutboxMessage {
        OutboxMessage(
            id: random.identifier(at: call.now), directoryID: call.directory.id, content: content, dueAt: call.now,
            createdAt: call.now)
    }

    private func letter(
        _ kind: MailKind, to recipient: EmailAddress, about user: User, context: MailContext, call: CallContext
    ) throws(AuthError) -> Letter {
        let rendered = templates.templates(of: call.directory).mails.render(kind, in: call.language, context)
        return Letter(
            kind: kind.rawValue, recipient: recipient.rawValue, subject: Self.oneLine(rendered.subject),
            text: rendered.text, html: rendered.html, user: user.id)
    }

    private func context(to recipient: EmailAddress, user: User, call: CallContext) -> MailContext {
        let site = call.settings.siteURL ?? call.links.home(of: call.directory)
        return MailContext(
            siteName: call.settings.mail.siteName, siteURL: site.isEmpty ? nil : site, email: recipient.rawValue,
            data: user.userMetadata)
    }

    private static func kind(of purpose: OneTimeToken.Purpose) -> MailKind {
        switch purpose {
        case .signUpConfirmation, .phoneSignIn, .phoneChange: .confirmation
        case .invitation: .invite
        case .magicLink: .magicLink
        case .recovery: .recovery
        case .unlock: .accountLocked
        case .export: .accountExport
        case .emailChangeCurrent: .emailChangeCurrent
        case .emailChangeNew: .emailChangeNew
        case .reauthentication: .reauthentication
        case .factorRecoveryStop: .factorRecoveryBegun
        }
    }

    /// A subject is one header line (RFC 5322, section 2.2).
    private static func oneLine(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
