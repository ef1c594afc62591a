// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Takes mails to where they are delivered.
public protocol MailTransport: Sendable {
    /// Returns once the next server has taken charge of the mail.
    func send(_ mail: RenderedMail, at now: Instant) async throws(MailDeliveryError)
}

/// Why a mail was not taken. Holds no address and nothing of the mail.
public struct MailDeliveryError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: String, Sendable {
        /// Worth another try: the server is unreachable or busy (RFC 5321, section 4.2.1: 4yz).
        case temporary
        /// Trying again will not help (5yz).
        case permanent
    }

    public var kind: Kind
    /// The server's reply code, where it gave one.
    public var replyCode: Int?
    public var reason: String
    /// How long the server wants to be left alone, where it says so.
    public var wait: TimeSpan?

    public init(_ kind: Kind, replyCode: Int? = nil, reason: String, wait: TimeSpan? = nil) {
        self.kind = kind
        self.replyCode = replyCode
        self.reason = reason
        self.wait = wait
    }

    public var description: String { "\(kind.rawValue): \(reason)\(replyCode.map { " (\($0))" } ?? "")" }
}
