// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What every successful sign-in and refresh ends in. The dialect mints its tokens from it.
public struct IssuedSession: Sendable {
    public var user: User
    public var identities: [Identity]
    public var groups: [Group]
    /// Read for dialects alone whose clients find out from the session whether to ask for one
    /// (``FactorPolicy/stepUp``).
    public var factors: [FactorSummary] = []
    public var session: Session
    /// Whether the account was to be deleted, and is kept since its user has signed in.
    public var hasKeptAccount = false
    public var refreshToken: Secret<String>
    /// When the access token must expire: its lifetime, cut short by the end of the session.
    public var accessExpiresAt: Instant
    /// The same for an ID token.
    public var idExpiresAt: Instant
    /// Whether the refresh token is new, or the one that an earlier call was given.
    public var renewal: Renewal
    /// Whether ``AccountModel/Session/rememberedDevice`` is one that may confirm itself now.
    public var isOnNewDevice = false
    /// What the authorization code was asked for that the session came of; `nil` for every other.
    public var request: AuthorizationRequest?
    /// What the identity provider gave that the user came from: for this answer alone, and never at a refresh.
    public var upstream: UpstreamTokens?

    public enum Renewal: Sendable, Equatable {
        case signedIn
        case rotated
        case repeated(RefreshTokenFamily.Cause)
        case kept
    }

    public init(
        user: User, identities: [Identity], groups: [Group], session: Session, refreshToken: Secret<String>,
        accessExpiresAt: Instant, idExpiresAt: Instant? = nil, renewal: Renewal
    ) {
        self.user = user
        self.identities = identities
        self.groups = groups
        self.session = session
        self.refreshToken = refreshToken
        self.accessExpiresAt = accessExpiresAt
        self.idExpiresAt = idExpiresAt ?? accessExpiresAt
        self.renewal = renewal
    }
}

/// A user with what a dialect shows beside them.
public struct UserRecord: Sendable {
    public var user: User
    public var identities: [Identity]

    public init(user: User, identities: [Identity]) {
        self.user = user
        self.identities = identities
    }
}

/// Somebody whose access token names a usable account, and a live session of it.
public struct AuthenticatedUser: Sendable {
    public var user: User
    public var identities: [Identity]
    /// `nil` for a token that an operator's own program has signed and that names none. Nothing then says when and how
    /// the user has proved who they are: what asks for a fresh proof asks for it.
    public var session: Session?
    /// When the token was issued, in whole seconds: what was proved in the session since is not proved by who shows it.
    /// `nil` where that is not known, or there is none.
    public var tokenIssuedAt: Instant?

    public init(user: User, identities: [Identity], session: Session?, tokenIssuedAt: Instant? = nil) {
        self.user = user
        self.identities = identities
        self.session = session
        self.tokenIssuedAt = tokenIssuedAt
    }
}
