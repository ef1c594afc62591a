// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// An `AuthError` as a user meets it (G-15): a text, and ways on.
public struct ErrorPresentation: Sendable, Hashable {
    /// For support, and for what an app does by itself.
    public var code: AuthErrorCode
    /// What the user reads first.
    public var message: UserMessage
    /// What is wrong in particular: the rules that a password broke, each by its key (G-15.5).
    public var details: [UserMessage]
    /// The likeliest first. None where there is nothing to be done.
    public var suggestions: [RecoverySuggestion]
    /// The field of the screen that it is about, in the domain's words.
    public var field: String?
    /// `false` for what the user did themselves: they turned back (Y-US1), or have done something else since.
    public var isShown: Bool

    /// - Parameters:
    ///   - support: where users of the app find help. Without it nobody is sent there.
    ///   - lock: what this device's own count of failures says of the identifier (``FailureCount``): with it, the
    ///     service's generic answer reads as what it stands for (G-8.2).
    public init(_ error: AuthError, support: String? = nil, lock: TimeSpan? = nil) {
        code = error.code
        details = error.violations.map { UserMessage(MessageKey(rawValue: $0.rawValue)) }
        field = error.field
        isShown = error.code != .cancelled && error.code != .superseded
        let wait = error.code == .invalidCredentials ? lock : error.retryAfter
        if let wait, error.code == .invalidCredentials || error.code == .accountLocked {
            message = UserMessage(.accountLocked, ["minutes": String(Minutes.begun(in: wait))])
            suggestions = [.wait(wait)]
            return
        }
        message = Self.message(for: error.code)
        suggestions = error.code.ways.compactMap { way in
            switch way {
            case .retry: .retry
            case .reconnect: .reconnect
            case .wait: wait.map(RecoverySuggestion.wait) ?? .retry
            case .correct: .correctInput
            case .confirm: .confirmAddress
            case .newOne: .requestNewOne
            case .signIn: .signInAgain
            case .another: .signInAnotherWay
            case .terms: .agreeToTerms(page: error.page)
            case .support: support.map(RecoverySuggestion.contactSupport)
            }
        }
    }

    /// Where the service has its user agree to terms, for an error that is about them.
    public var termsPage: String? {
        for case .agreeToTerms(let page) in suggestions { return page }
        return nil
    }

    private static func message(for code: AuthErrorCode) -> UserMessage {
        // A lock without a time reads as what it is for the user: too much for now.
        if code == .accountLocked { return UserMessage(.rateLimit) }
        if code.isKnown { return UserMessage(code.messageKey) }
        return UserMessage(.unknownError, ["code": readable(code.rawValue)])
    }

    /// A code from outside, as it can stand in a line: support will be told it.
    private static func readable(_ code: String) -> String {
        let letters = code.unicodeScalars.prefix(64).filter { (0x21...0x7E).contains($0.value) }
        return letters.isEmpty ? "?" : String(String.UnicodeScalarView(letters))
    }
}
