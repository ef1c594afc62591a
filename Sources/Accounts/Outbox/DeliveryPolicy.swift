// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// When a message is tried again, and when it is given up: a pure function of the message and what became of a try.
///
/// ```mermaid
/// stateDiagram-v2
///     [*] --> pending
///     pending --> sent : delivered
///     pending --> pending : deferred / due later, each time about four times as long
///     pending --> pending : no transport, where it waits for one
///     pending --> kept : no transport, where the outbox is read instead
///     pending --> failed : refused, or still deferred when too old; no transport otherwise
/// ```
public struct DeliveryPolicy: Sendable, Equatable {
    /// What a transport said.
    public enum Outcome: Sendable, Equatable {
        case delivered
        /// It will never be taken: trying again is of no use.
        case refused(String)
        /// It may be taken later, and not before `wait` is over where the other side has said so.
        case deferred(String, wait: TimeSpan? = nil)
        /// There is nobody to hand it to: the operator has configured no way for messages of its channel.
        case noTransport(OutboxMessage.Channel)
    }

    /// In what order messages that are due together are handed over.
    public enum Urgency: Int, Sendable, Comparable, CaseIterable {
        /// Somebody waits for it, or something stays open until it is there.
        case prompt
        /// A program takes it when it comes.
        case relaxed

        public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    public var firstDelay = TimeSpan.seconds(5)
    public var longestDelay = TimeSpan.hours(1)
    /// How long after a message was written it is still tried. What it asks for has mostly expired by then.
    public var patience = TimeSpan.hours(24)
    /// Whether texts and secrets stay in the outbox afterwards: only where people read their messages there.
    public var keepsBodies: Bool
    /// Whether they stay when the message was given up, until the row is purged, so that an operator can still see to
    /// it. What a person was to be told has expired by then; what a program was to be told has not.
    public var keepsFailed = false
    /// Whether a message that nothing can carry stays owed until something can.
    public var waitsForTransport = false
    public var urgency = Urgency.prompt

    private static let maximumErrorLength = 200

    public init(keepsBodies: Bool = false) {
        self.keepsBodies = keepsBodies
    }

    /// The policy of a channel.
    public static func of(_ channel: OutboxMessage.Channel, keepsBodies: Bool = false) -> DeliveryPolicy {
        var policy = DeliveryPolicy(keepsBodies: keepsBodies)
        switch channel {
        case .mail, .sms: break
        case .webhook:
            // Whoever runs the endpoint may be away for a weekend.
            policy.firstDelay = .seconds(10)
            policy.longestDelay = .hours(6)
            policy.patience = .days(3)
            policy.keepsFailed = true
            policy.urgency = .relaxed
        case .userSync:
            // An app asks after it, and says it again when it has a newer token.
            policy.patience = .days(3)
            policy.urgency = .relaxed
        case .upstreamRevocation:
            // The token stays good until it is there.
            policy.patience = .days(30)
            policy.waitsForTransport = true
        case .clientLogout:
            // Somebody has signed out and believes it. After a day the app's own session has mostly ended too.
            policy.longestDelay = .minutes(10)
            policy.urgency = .relaxed
        }
        return policy
    }

    /// The channels in the order in which their messages are handed over.
    static let order = OutboxMessage.Channel.allCases.sorted { of($0).urgency < of($1).urgency }

    /// The message as it is to be stored after a try.
    ///
    /// - Parameter jitter: Any random number. It moves the next try by up to a quarter of the delay, so that messages
    ///   deferred together do not come back together.
    public func settle(
        _ message: OutboxMessage, after outcome: Outcome, at now: Instant, jitter: UInt16
    ) -> OutboxMessage {
        var settled = message
        settled.attempts = message.attempts < .max ? message.attempts + 1 : .max
        switch outcome {
        case .delivered:
            settled.state = .sent
            settled.sentAt = now
            settled.lastError = nil
        case .refused(let reason):
            settled.state = .failed
            settled.lastError = Self.line(reason)
        case .deferred(let reason, let wait):
            settled.lastError = Self.line(reason)
            // No server may put a message off for longer than it would be put off anyway.
            let asked = min(wait ?? .zero, longestDelay)
            settled.dueAt = now + max(delay(after: settled.attempts, jitter: jitter), asked)
            if settled.dueAt - message.createdAt > patience { settled.state = .failed }
        case .noTransport where keepsBodies && message.letter != nil: settled.state = .kept
        case .noTransport(let channel):
            settled.lastError = "no transport for \(channel.rawValue) is configured"
            if waitsForTransport {
                settled.dueAt = now + delay(after: .max, jitter: jitter)
            } else {
                settled.state = .failed
            }
        }
        // What programs are handed is read by nobody, wherever letters are.
        let isOver = settled.state == .sent || settled.state == .failed && !keepsFailed
        if isOver, !keepsBodies || message.letter == nil { settled.erase() }
        return settled
    }

    /// Whether a message goes once there is nothing more to try: whoever had an account that is over is not to be found
    /// here afterwards.
    ///
    /// - Parameter isOver: whether the account that it is about is over.
    func forgets(_ message: OutboxMessage, isOver: Bool) -> Bool {
        message.state != .pending && !keepsBodies && (isOver || message.kind == MailKind.accountDeleted.rawValue)
    }

    /// No message is put off for longer.
    var longestWait: TimeSpan { max(delay(after: .max, jitter: .max), OutboxWorker.lease) }

    /// The wait after so many tries.
    func delay(after attempts: Int, jitter: UInt16) -> TimeSpan {
        // 4^6 times the first delay exceeds any sensible longest one.
        let shift = 2 * min(max(attempts, 1) - 1, 6)
        let (product, overflow) = firstDelay.microseconds.multipliedReportingOverflow(by: 1 << Int64(shift))
        let base = overflow ? longestDelay.microseconds : min(product, longestDelay.microseconds)
        return TimeSpan(microseconds: base + base / 4 / Int64(UInt16.max) * Int64(jitter))
    }

    /// One line of printable text: a server's answer may hold anything.
    private static func line(_ reason: String) -> String {
        let printable = reason.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        return String(printable.prefix(maximumErrorLength))
    }
}

extension OutboxMessage {
    /// Removes what only the recipient should have read.
    mutating func erase() {
        switch content {
        case .mail(let letter): content = .mail(letter.erased)
        case .sms(let letter): content = .sms(letter.erased)
        case .webhook(var event):
            event.body = [:]
            content = .webhook(event)
        case .clientLogout: break
        case .userSync(var sync):
            (sync.token, sync.nonce) = (Secret(""), nil)
            content = .userSync(sync)
        case .upstreamRevocation(var revocation):
            revocation.token = Secret("")
            content = .upstreamRevocation(revocation)
        }
    }
}

extension Letter {
    fileprivate var erased: Letter {
        Letter(kind: kind, recipient: recipient, subject: subject, text: "", user: user)
    }
}
