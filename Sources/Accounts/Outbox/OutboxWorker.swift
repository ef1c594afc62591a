// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import Mail
import Synchronization

/// Sends what the outbox owes. Any number of workers may run on one store: a message is leased to one of them at a
/// time, and a worker that died gives its messages back when the lease ends.
///
/// A message may still arrive twice when a worker dies between its delivery and the note of it; each carries the same
/// identifier both times.
public final class OutboxWorker: Sendable {
    /// How many messages are under way at once.
    private static let width = 4
    /// Longer than any transport may take, so that a slow delivery is not begun by a second worker.
    static let lease = Span.minutes(10)
    private static let afterStoreFailure = Span.seconds(5)

    private let store: any AccountStoring
    private let random: any RandomSource
    private let mail: any MailTransport
    private let texts: any TextMessageTransport
    private let policy: DeliveryPolicy
    private let logger: Logger
    /// The time of the last pass.
    private let latest = Mutex<Instant?>(nil)

    public init(
        store: any AccountStoring, random: any RandomSource, mail: any MailTransport, texts: any TextMessageTransport,
        policy: DeliveryPolicy = DeliveryPolicy(), logger: Logger
    ) {
        self.store = store
        self.random = random
        self.mail = mail
        self.texts = texts
        self.policy = policy
        self.logger = logger
    }

    /// Makes one pass: tries every message due at `now` once.
    ///
    /// - Returns: When the next message is due; `nil` when none waits.
    public func deliverDue(at now: Instant) async -> Instant? {
        do {
            try await noticeSetBack(at: now)
            while !Task.isCancelled {
                let claimed = try await store.write { tx in
                    try tx.claimOutbox(at: now, leaseEnd: now + Self.lease, limit: Self.width)
                }
                if claimed.isEmpty { break }
                await withTaskGroup { group in
                    for message in claimed { group.addTask { await self.deliver(message, at: now) } }
                }
            }
            return try await store.read { tx in try tx.nextOutboxDue() }
        } catch {
            logger.error("outbox pass failed", metadata: ["error": "\(error)"])
            return now + Self.afterStoreFailure
        }
    }

    /// Messages whose time lies ahead because the clock has been set back since are due: all, where that is seen, and
    /// after a restart those that are put off for longer than any is.
    private func noticeSetBack(at now: Instant) async throws {
        let last = latest.withLock { latest in
            defer { latest = now }
            return latest
        }
        if let last, !last.liesAhead(of: now) { return }
        let latestDue = last == nil ? now + policy.longestWait : now
        try await store.write { _ = try $0.hastenOutbox(dueAfter: latestDue, to: now) }
    }

    private func deliver(_ message: OutboxMessage, at now: Instant) async {
        let outcome = await attempt(message, at: now)
        let jitter = random.bytes(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        let settled = policy.settle(message, after: outcome, at: now, jitter: jitter)
        var metadata: Logger.Metadata = [
            "message": "\(message.id)", "kind": "\(message.kind)", "attempt": "\(settled.attempts)",
        ]
        if let error = settled.lastError { metadata["error"] = "\(error)" }
        switch outcome {
        case .delivered: logger.debug("message delivered", metadata: metadata)
        case .deferred where settled.state == .pending: logger.warning("message deferred", metadata: metadata)
        case .deferred, .refused: logger.error("message given up", metadata: metadata)
        }
        do {
            try await store.write { tx in
                // Only while the lease is still ours: otherwise another worker has the message in hand.
                guard let stored = try tx.outboxMessage(message.id), stored.state == .pending,
                    stored.dueAt == message.dueAt
                else { return }
                try tx.update(settled)
            }
        } catch {
            logger.error("outcome of a message not noted", metadata: ["message": "\(message.id)", "error": "\(error)"])
        }
    }

    private func attempt(_ message: OutboxMessage, at now: Instant) async -> DeliveryPolicy.Outcome {
        do {
            switch message.channel {
            case .mail:
                let rendered = RenderedMail(
                    id: message.id.rawValue, recipient: try EmailAddress(message.recipient), subject: message.subject,
                    text: message.text, html: message.html)
                try await mail.send(rendered, at: now)
            case .sms:
                try await texts.send(message.text, to: try PhoneNumber(message.recipient), id: message.id)
            }
            return .delivered
        } catch let error as MailDeliveryError {
            return error.kind == .permanent ? .refused(error.description) : .deferred(error.description)
        } catch let error as TextMessageError {
            switch error {
            case .refused(let reason): return .refused(reason)
            case .unavailable(let reason): return .deferred(reason)
            }
        } catch let error as AuthError {
            return .refused(error.description)
        } catch {
            return .deferred("\(error)")
        }
    }
}
