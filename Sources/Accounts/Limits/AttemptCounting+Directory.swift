// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One of a Directory's limits and whom it counts. Every dialect shares them: whoever is out of attempts in one is in
/// all.
struct CountedLimit: Sendable {
    let rule: RateLimitRule
    let key: String

    /// - Parameters:
    ///   - name: of the limit.
    ///   - key: what is counted: a client's address, an account.
    init(_ name: String, _ rate: DirectorySettings.Rate, key: String, in directory: Directory) {
        rule = RateLimitRule(name: name, count: rate.count, period: .seconds(rate.seconds))
        self.key = directory.id.rawValue + " " + key
    }
}

extension AttemptCounting {
    /// The error that a refused caller is told. The one place where refusals are made.
    func refusal(by limit: String, wait: Span, in call: CallContext, else code: AuthErrorCode) -> AuthError {
        noteRefusal(by: limit, of: call)
        return AuthError(code, retryAfter: wait)
    }
}
