// SPDX-License-Identifier: Apache-2.0

/// What went wrong, in the domain's own words. Each dialect says it in its own.
///
/// Two errors are equal when their codes are: what they carry beside it explains, and never decides.
public struct AuthError: Error, Sendable {
    /// Stable, open set of codes. ``AuthErrorCode`` lists those the domain uses.
    public let code: AuthErrorCode
    /// For the operator's log only; never sent to a client, and never holding a secret or an address.
    public let reason: String?
    /// The input's field that the error is about, in the domain's words.
    public let field: String?
    /// How long to wait before trying again (RFC 9110, section 10.2.3).
    public let retryAfter: TimeSpan?
    /// The rules that a password broke, in the order in which they are said.
    public let violations: [PasswordViolation]
    /// What a program of the operator's has the person told: the one text here that clients are given.
    public let message: String?
    /// The status that it wants it told with, from 400 to 499; `nil` for the dialect's own.
    public let messageStatus: Int?

    /// The address of a page of the server's on which its user does what is missing. For the caller alone: it is
    /// written into no log.
    public let page: String?

    /// - Parameters:
    ///   - code: what went wrong: all that two errors are compared by.
    ///   - reason: for the operator's log; must hold no secret and no address.
    ///   - field: the input's field that it is about.
    ///   - retryAfter: how long to wait before trying again.
    ///   - violations: the rules that a password broke.
    ///   - message: what a program of the operator's has the person told.
    ///   - messageStatus: with which status, 400 to 499.
    ///   - page: a page on which the user does what is missing.
    public init(
        _ code: AuthErrorCode, reason: String? = nil, field: String? = nil, retryAfter: TimeSpan? = nil,
        violations: [PasswordViolation] = [], message: String? = nil, messageStatus: Int? = nil, page: String? = nil
    ) {
        self.code = code
        self.reason = reason
        self.field = field
        self.retryAfter = retryAfter
        self.violations = violations
        self.message = message
        self.messageStatus = messageStatus
        self.page = page
    }
}

extension AuthError: Hashable {
    /// By the code alone.
    public static func == (lhs: AuthError, rhs: AuthError) -> Bool { lhs.code == rhs.code }
    /// Of the code alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension AuthError: CustomStringConvertible {
    /// The code and the reason: for logs, not for people.
    public var description: String { reason.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
