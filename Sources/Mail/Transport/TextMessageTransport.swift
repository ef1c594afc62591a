// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A way to send text messages: an SMS gateway's API, for example.
public protocol TextMessageTransport: Sendable {
    /// Hands the text over and returns once the other side has taken it.
    ///
    /// - Parameter id: Stable over retries, for gateways that recognise a message they have seen.
    /// - Throws: ``TextMessageError``. Any other error counts as a passing one.
    func send(_ text: String, to number: PhoneNumber, id: String, at now: Instant) async throws
}

public enum TextMessageError: Error, Sendable, Equatable {
    /// Never to be tried again: the number can't receive, or the gateway won't send. The text says why, for operators.
    case refused(String)
    /// To be tried again, and not before `wait` is over where the gateway has said so.
    case unavailable(String, wait: TimeSpan? = nil)
}
