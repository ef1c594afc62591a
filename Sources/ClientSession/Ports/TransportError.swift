// SPDX-License-Identifier: Apache-2.0

/// Why there is no answer to a request. None of these says anything about a session.
public enum TransportError: Error, Sendable, Hashable {
    /// The device has no way to any network, or none to this host.
    case offline
    /// No answer within the request's time.
    case timedOut
    /// The way broke after the request began to be sent: it may have been carried out.
    case interrupted
    /// The other side is not who it should be (RFC 9110, section 4.3.4).
    case untrusted
    /// The request would leave the device in the clear (F-8).
    case insecure
    /// The answer is longer than anybody here reads.
    case tooLarge
    /// The task that asked was cancelled.
    case cancelled
    /// Not a request at all: an address nobody can ask.
    case invalidRequest
}
