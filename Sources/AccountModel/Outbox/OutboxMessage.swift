// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Something that is owed to somebody outside: written in the transaction that caused it, handed over by the worker.
public struct OutboxMessage: Sendable {
    /// By what it goes. Stored, so the names never change.
    public enum Channel: String, Sendable, CaseIterable {
        case mail
        case sms
        case webhook
        case userSync = "user_sync"
        case upstreamRevocation = "upstream_revocation"
        case clientLogout = "client_logout"
    }

    /// What is owed.
    public enum Content: Sendable, Hashable {
        case mail(Letter)
        case sms(Letter)
        case webhook(WebhookEvent)
        case userSync(UserSync)
        case upstreamRevocation(UpstreamRevocation)
        case clientLogout(ClientLogout)
    }

    public enum State: String, Sendable, CaseIterable {
        case pending
        /// A transport has taken it.
        case sent
        /// Given up: refused for good, or tried too often.
        case failed
        /// Stays here to be read: nothing is configured that would carry it any further, and it was handed to nobody.
        case kept
        /// Addressed to nobody: it was written only to cost what one to somebody does. Not listed.
        case discarded
    }

    public var id: OutboxMessageID
    public var directoryID: DirectoryID
    public var content: Content
    public var state: State
    public var attempts: Int
    /// When the worker next tries.
    public var dueAt: Instant
    public var createdAt: Instant
    public var sentAt: Instant?
    public var lastError: String?

    public init(
        id: OutboxMessageID, directoryID: DirectoryID, content: Content, state: State = .pending, attempts: Int = 0,
        dueAt: Instant, createdAt: Instant, sentAt: Instant? = nil, lastError: String? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.content = content
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.createdAt = createdAt
        self.sentAt = sentAt
        self.lastError = lastError
    }
}

extension OutboxMessage {
    public var channel: Channel {
        switch content {
        case .mail: .mail
        case .sms: .sms
        case .webhook: .webhook
        case .userSync: .userSync
        case .upstreamRevocation: .upstreamRevocation
        case .clientLogout: .clientLogout
        }
    }

    /// What it is about, such as `recovery`.
    public var kind: String {
        switch content {
        case .mail(let letter), .sms(let letter): letter.kind
        case .webhook(let event): event.name
        case .userSync(let sync): sync.proof.rawValue
        case .upstreamRevocation: "token"
        case .clientLogout: "logout"
        }
    }

    /// Whom it is owed to: an email address or an E.164 number; the name of an endpoint or a provider; a client.
    public var recipient: String {
        switch content {
        case .mail(let letter), .sms(let letter): letter.recipient
        case .webhook(let event): event.endpoint
        case .userSync(let sync): sync.provider
        case .upstreamRevocation(let revocation): revocation.provider
        case .clientLogout(let logout): logout.client.rawValue
        }
    }

    /// What a person reads of it; `nil` where a program is the recipient.
    public var letter: Letter? {
        switch content {
        case .mail(let letter), .sms(let letter): letter
        case .webhook, .userSync, .upstreamRevocation, .clientLogout: nil
        }
    }

    public var subject: String { letter?.subject ?? "" }
    public var text: String { letter?.text ?? "" }
    public var html: String? { letter?.html }
    public var code: String? { letter?.code }
    public var link: String? { letter?.link }
    public var tokenHash: String? { letter?.tokenHash }
}
