// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging

/// Sends what the outbox owes. Any number of workers may run on one store: a message is leased to one of them at a
/// time, and a worker that died gives its messages back when the lease ends.
///
/// A message may still arrive twice when a worker dies between its delivery and the note of it; each carries the same
/// identifier both times.
public final class OutboxWorker: Sendable {
    /// How many messages are under way at once.
    private static let width = 4
    /// Longer than any transport may take, so that a slow delivery is not begun by a second worker.
    static let lease = TimeSpan.minutes(10)
    private static let afterStoreFailure = TimeSpan.seconds(5)

    private let store: any AccountStoring
    private let random: any RandomSource
    private let transports: OutboxTransports
    /// What it hands over, the most urgent first.
    private let channels: [OutboxMessage.Channel]
    private let keepsBodies: Bool
    private let logger: Logger
    /// The time of the last pass.
    private let latest = Mutex<Instant?>(nil)

    /// - Parameters:
    ///   - urgency: of what it hands over; `nil` for everything. Programs that take their time hold up none but the
    ///     worker that waits for them, so that a server has one for each.
    ///   - keepsBodies: see ``DeliveryPolicy/keepsBodies``.
    public init(
        store: any AccountStoring, random: any RandomSource, transports: OutboxTransports,
        urgency: DeliveryPolicy.Urgency? = nil, keepsBodies: Bool = false, logger: Logger
    ) {
        self.store = store
        self.random = random
        self.transports = transports
        channels = DeliveryPolicy.order.filter { urgency == nil || DeliveryPolicy.of($0).urgency == urgency }
        self.keepsBodies = keepsBodies
        self.logger = logger
    }

    /// Makes one pass: tries every message due at `now` once.
    ///
    /// - Returns: When the next message is due; `nil` when none waits.
    public func deliverDue(at now: Instant) async -> Instant? { await deliverDue { now } }

    /// The same by a clock that goes on: many messages for a slow program take their time, after which a lease, a
    /// signature and the next try are not to be of when the pass began.
    ///
    /// - Parameter isWanted: whether more are begun.
    public func deliverDue(
        by clock: @escaping @Sendable () -> Instant, while isWanted: () -> Bool = { true }
    ) async -> Instant? {
        do {
            try await noticeSetBack(at: clock())
            while !Task.isCancelled, isWanted() {
                // A look by an index: servers that have nothing to send are not to meet in a write each second.
                let due = try await store.read { [channels] in try $0.nextOutboxDue(channels) }
                guard let due else { return nil }
                let now = clock()
                guard due <= now else { return due }
                let claimed = try await store.write { [self] in try claim(at: now, in: $0) }
                if claimed.isEmpty { break }
                await withTaskGroup { group in
                    for message in claimed { group.addTask { await self.deliver(message, at: now, clock) } }
                }
            }
            return try await store.read { [channels] in try $0.nextOutboxDue(channels) }
        } catch {
            logger.error("outbox pass failed", metadata: ["error": "\(error)"])
            return clock() + Self.afterStoreFailure
        }
    }

    /// What is due, the most urgent first: many events for a slow program must not keep somebody's code back for longer
    /// than a few of them take.
    private func claim(at now: Instant, in tx: any StoreWriting) throws -> [OutboxMessage] {
        var claimed: [OutboxMessage] = []
        for channel in channels where claimed.count < Self.width {
            claimed += try tx.claimOutbox(
                channel, at: now, leaseEnd: now + Self.lease, limit: Self.width - claimed.count)
        }
        return claimed
    }

    /// Messages whose time lies ahead because the clock has been set back since are due: all, where that is seen, and
    /// after a restart those that are put off for longer than any is.
    private func noticeSetBack(at now: Instant) async throws {
        let last = latest.withLock { latest in
            defer { latest = now }
            return latest
        }
        if let last, !last.liesAhead(of: now) { return }
        try await store.write { [channels] tx in
            for channel in channels {
                let latestDue = last == nil ? now + DeliveryPolicy.of(channel).longestWait : now
                _ = try tx.hastenOutbox(channel, dueAfter: latestDue, to: now)
            }
        }
    }

    private func deliver(_ message: OutboxMessage, at start: Instant, _ clock: @Sendable () -> Instant) async {
        let outcome = await transports.deliver(message, at: start)
        let jitter = random.bytes(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        // Only what nothing carries is read here: what was handed over, to whomever, is nobody's to read any more.
        var isRead = false
        if case .noTransport = outcome { isRead = keepsBodies }
        let policy = DeliveryPolicy.of(message.channel, keepsBodies: isRead)
        let settled = policy.settle(message, after: outcome, at: clock(), jitter: jitter)
        var metadata: Logger.Metadata = [
            "message": "\(message.id)", "channel": "\(message.channel.rawValue)", "kind": "\(message.kind)",
            "attempt": "\(settled.attempts)",
        ]
        if let error = settled.lastError { metadata["error"] = "\(error)" }
        switch outcome {
        case .delivered: logger.debug("message delivered", metadata: metadata)
        case .deferred where settled.state == .pending: logger.warning("message deferred", metadata: metadata)
        case .noTransport where settled.state == .kept: logger.debug("message kept to be read", metadata: metadata)
        case .noTransport where settled.state == .pending:
            logger.error("message owed that nothing can carry", metadata: metadata)
        case .deferred, .refused, .noTransport: logger.error("message given up", metadata: metadata)
        }
        do {
            try await store.write { tx in
                // Only while the lease is still ours: otherwise another worker has the message in hand.
                guard let stored = try tx.outboxMessage(message.id), stored.state == .pending,
                    stored.dueAt == message.dueAt
                else { return }
                let isOver = try settled.state != .pending && settled.isAboutNobody(tx)
                if policy.forgets(settled, isOver: isOver) {
                    try tx.deleteOutboxMessage(settled.id)
                } else {
                    try tx.update(settled)
                }
            }
        } catch {
            logger.error("outcome of a message not noted", metadata: ["message": "\(message.id)", "error": "\(error)"])
        }
    }
}

extension OutboxMessage {
    /// Whether it is a letter about an account that is over.
    fileprivate func isAboutNobody(_ tx: any StoreReading) throws -> Bool {
        guard let user = letter?.user else { return false }
        guard let found = try tx.user(user, in: directoryID) else { return true }
        return found.deletedAt != nil
    }
}
