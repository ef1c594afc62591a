// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A message that is owed to somebody: written in the transaction that caused it, sent by the worker.
public struct OutboxMessage: Sendable {
    public enum Channel: String, Sendable, CaseIterable {
        case mail
        case sms
    }

    public enum State: String, Sendable, CaseIterable {
        case pending
        case sent
        /// Given up: refused for good, or tried too often.
        case failed
        /// Addressed to nobody: it was written only to cost what one to somebody does. Not listed.
        case discarded
    }

    public var id: OutboxMessageID
    public var directoryID: DirectoryID
    public var channel: Channel
    /// The kind of mail, such as `recovery`; a text message has the purpose of its code.
    public var kind: String
    /// An email address or an E.164 number.
    public var recipient: String
    public var subject: String
    public var text: String
    public var html: String?
    /// What the message asks its reader to type or to open. Erased with the texts once the message is sent, unless
    /// the outbox is the transport.
    public var code: String?
    public var link: String?
    public var tokenHash: String?
    public var state: State
    public var attempts: Int
    /// When the worker next tries.
    public var dueAt: Instant
    public var createdAt: Instant
    public var sentAt: Instant?
    public var lastError: String?

    public init(
        id: OutboxMessageID, directoryID: DirectoryID, channel: Channel, kind: String, recipient: String,
        subject: String, text: String, html: String? = nil, code: String? = nil, link: String? = nil,
        tokenHash: String? = nil, state: State = .pending, attempts: Int = 0, dueAt: Instant, createdAt: Instant,
        sentAt: Instant? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.channel = channel
        self.kind = kind
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.html = html
        self.code = code
        self.link = link
        self.tokenHash = tokenHash
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.createdAt = createdAt
        self.sentAt = sentAt
        self.lastError = lastError
    }
}
