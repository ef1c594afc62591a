// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How often one client may do a thing, whoever it is about: what stands before the order of limits on accounts
/// (ADR 0015). Two limits of one setting are counted apart.
public enum ClientLimit: String, Sendable, CaseIterable {
    /// Shows a password, or asks for a challenge to one.
    case signIn = "sign-in"
    /// Answers a challenge.
    case signInChallenge = "sign-in challenge"
    /// Shows a refresh token.
    case refresh
    /// Is sent here by an app, to sign in or out.
    case authorization
    case signUp = "sign-up"
    /// Shows an identity provider's word on who a user is, so that their account follows it.
    case userSync = "user sync"
    /// Registers itself as a client (RFC 7591).
    case clientRegistration = "client registration"
    /// Tells, as an identity provider, of its users.
    case providerEvents = "provider events"
    /// Opens an account without a name.
    case anonymous
    /// Asks for a message.
    case oneTime = "one-time"
    /// Changes their own account, which may send a message.
    case user
    /// Shows a code or the token of a link, and spends it.
    case verify
    /// Opens a link, which does not spend it.
    case link
    /// Opens a page that asks the browser's authenticator.
    case authenticator

    /// The key of the setting, below `directory.`.
    public var setting: String {
        switch self {
        case .signIn, .signInChallenge, .userSync, .authenticator: "limits.signIn"
        case .refresh, .authorization: "limits.tokenRefresh"
        case .signUp: "limits.signUp"
        case .clientRegistration: "limits.clientRegistration"
        case .providerEvents: "limits.providerEvents"
        case .anonymous: "limits.anonymous"
        case .oneTime, .user: "limits.oneTimeToken"
        case .verify, .link: "limits.verify"
        }
    }

    public func rate(_ limits: DirectorySettings.Limits) -> DirectorySettings.Rate {
        switch self {
        case .signIn, .signInChallenge, .userSync, .authenticator: limits.signIn
        case .refresh, .authorization: limits.tokenRefresh
        case .signUp: limits.signUp
        case .clientRegistration: limits.clientRegistration
        case .providerEvents: limits.providerEvents
        case .anonymous: limits.anonymous
        case .oneTime, .user: limits.oneTimeToken
        case .verify, .link: limits.verify
        }
    }
}

extension AccountLimits {
    /// Counts a call of one client, where it is known which one it is.
    ///
    /// - Throws: ``AuthErrorCode/rateLimited`` with the time to wait.
    public func count(_ limit: ClientLimit, call: CallContext) throws(AuthError) {
        guard let origin = call.origin else { return }
        let rate = limit.rate(call.settings.limits)
        let rule = RateLimitRule(name: limit.rawValue, count: rate.count, period: .seconds(rate.seconds))
        let key = CountedClient(directory: call.directory.id, origin: origin).text
        guard case .denied(let wait) = counts.take(rule, key: key, now: call.now) else { return }
        throw refusal(Exhaustion(limit: rule.name, wait: wait), call: call, else: .rateLimited)
    }
}
