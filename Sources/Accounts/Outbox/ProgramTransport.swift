// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// A way to hand over what the outbox owes to programs: ``AccountModel/WebhookEvent``, ``AccountModel/UserSync``,
/// ``AccountModel/UpstreamRevocation`` or ``AccountModel/ClientLogout``.
public protocol ProgramTransport<Content>: Sendable {
    associatedtype Content: Sendable

    /// Hands it over, and returns once the other side has taken it.
    ///
    /// - Parameter id: Stable over retries, so that the other side can tell that it has seen it.
    /// - Throws: ``ProgramTransportError``. Any other error counts as a passing one.
    func deliver(_ content: Content, id: OutboxMessageID, at now: Instant) async throws
}

public enum ProgramTransportError: Error, Sendable, Equatable {
    /// Never to be tried again: the other side won't take it. The text says why, for operators.
    case refused(String)
    /// To be tried again.
    case unavailable(String)
}

/// Whatever the operator has configured to carry what is owed. What has no transport is kept, given up or stays owed,
/// as its channel's ``DeliveryPolicy`` says; it is never called sent.
public struct OutboxTransports: Sendable {
    public var mail: (any MailTransport)?
    public var texts: (any TextMessageTransport)?
    public var webhooks: (any ProgramTransport<WebhookEvent>)?
    public var syncs: (any ProgramTransport<UserSync>)?
    public var revocations: (any ProgramTransport<UpstreamRevocation>)?
    public var logouts: (any ProgramTransport<ClientLogout>)?
    /// Asked before mails and texts are handed to the others.
    public var letters: (any LetterTransport)?

    public init(
        mail: (any MailTransport)?, texts: (any TextMessageTransport)?,
        webhooks: (any ProgramTransport<WebhookEvent>)? = nil,
        syncs: (any ProgramTransport<UserSync>)? = nil,
        revocations: (any ProgramTransport<UpstreamRevocation>)? = nil,
        logouts: (any ProgramTransport<ClientLogout>)? = nil, letters: (any LetterTransport)? = nil
    ) {
        self.mail = mail
        self.texts = texts
        self.webhooks = webhooks
        self.syncs = syncs
        self.revocations = revocations
        self.logouts = logouts
        self.letters = letters
    }

    func deliver(_ message: OutboxMessage, at now: Instant) async -> DeliveryPolicy.Outcome {
        do {
            var content = message.content
            if let letters, let letter = message.letter {
                let isText = message.channel == .sms
                guard
                    let worded = try await letters.deliver(
                        letter, isText: isText, isCarried: isText ? texts != nil : mail != nil, in: message.directoryID,
                        id: message.id, at: now)
                else { return .delivered }
                content = isText ? .sms(worded) : .mail(worded)
            }
            switch content {
            case .mail(let letter):
                guard let mail else { return .noTransport(message.channel) }
                let rendered = RenderedMail(
                    id: message.id.rawValue, recipient: try recipient { try EmailAddress(letter.recipient) },
                    subject: letter.subject, text: letter.text, html: letter.html)
                try await mail.send(rendered, at: now)
            case .sms(let letter):
                guard let texts else { return .noTransport(message.channel) }
                try await texts.send(
                    letter.text, to: try recipient { try PhoneNumber(letter.recipient) }, id: message.id.rawValue,
                    at: now)
            case .webhook(let event):
                guard let webhooks else { return .noTransport(message.channel) }
                try await webhooks.deliver(event, id: message.id, at: now)
            case .userSync(let sync):
                guard let syncs else { return .noTransport(message.channel) }
                try await syncs.deliver(sync, id: message.id, at: now)
            case .upstreamRevocation(let revocation):
                guard let revocations else { return .noTransport(message.channel) }
                try await revocations.deliver(revocation, id: message.id, at: now)
            case .clientLogout(let logout):
                guard let logouts else { return .noTransport(message.channel) }
                try await logouts.deliver(logout, id: message.id, at: now)
            }
            return .delivered
        } catch let error as MailDeliveryError {
            return error.kind == .permanent
                ? .refused(error.description) : .deferred(error.description, wait: error.wait)
        } catch let error as TextMessageError {
            switch error {
            case .refused(let reason): return .refused(reason)
            case .unavailable(let reason, let wait): return .deferred(reason, wait: wait)
            }
        } catch let error as ProgramTransportError {
            switch error {
            case .refused(let reason): return .refused(reason)
            case .unavailable(let reason): return .deferred(reason)
            }
        } catch {
            // Such as a database that is away for a moment, which a transport asks. That something lasts is a
            // transport's to say: nothing else gives a message up before its patience is over.
            return .deferred("\(error)")
        }
    }

    /// - Throws: ``ProgramTransportError/refused(_:)`` for what is no address or number, and will be none the next
    ///   time.
    private func recipient<Address>(_ parse: () throws -> Address) throws -> Address {
        do { return try parse() } catch { throw ProgramTransportError.refused("\(error)") }
    }
}
