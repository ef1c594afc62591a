// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// When a message is tried again, and when it is given up: a pure function of the message and what became of a try.
///
/// ```mermaid
/// stateDiagram-v2
///     [*] --> pending
///     pending --> sent : delivered
///     pending --> pending : deferred / due later, each time about four times as long
///     pending --> failed : refused, or still deferred when too old
/// ```
public struct DeliveryPolicy: Sendable, Equatable {
    /// What a transport said.
    public enum Outcome: Sendable, Equatable {
        case delivered
        /// It will never be taken: trying again is of no use.
        case refused(String)
        /// It may be taken later.
        case deferred(String)
    }

    public var firstDelay = Span.seconds(5)
    public var longestDelay = Span.hours(1)
    /// How long after a message was written it is still tried. What it asks for has mostly expired by then.
    public var patience = Span.hours(24)
    /// Whether texts and secrets stay in the outbox afterwards: only where people read their mail there.
    public var keepsBodies: Bool

    private static let maximumErrorLength = 200

    public init(keepsBodies: Bool = false) {
        self.keepsBodies = keepsBodies
    }

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
        case .deferred(let reason):
            settled.lastError = Self.line(reason)
            settled.dueAt = now + delay(after: settled.attempts, jitter: jitter)
            if settled.dueAt - message.createdAt > patience { settled.state = .failed }
        }
        if settled.state != .pending, !keepsBodies { settled.erase() }
        return settled
    }

    /// No message is put off for longer.
    var longestWait: Span { max(delay(after: .max, jitter: .max), OutboxWorker.lease) }

    /// The wait after so many tries.
    func delay(after attempts: Int, jitter: UInt16) -> Span {
        // 4^6 times the first delay exceeds any sensible longest one.
        let shift = 2 * min(max(attempts, 1) - 1, 6)
        let (product, overflow) = firstDelay.microseconds.multipliedReportingOverflow(by: 1 << Int64(shift))
        let base = overflow ? longestDelay.microseconds : min(product, longestDelay.microseconds)
        return Span(microseconds: base + base / 4 / Int64(UInt16.max) * Int64(jitter))
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
        text = ""
        html = nil
        code = nil
        link = nil
        tokenHash = nil
    }
}
