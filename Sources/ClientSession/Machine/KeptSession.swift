// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A session as it is kept in the store, and read there by other processes of the same app.
struct KeptSession: Sendable {
    /// Whose session it is: see ``IdentityBackend/name``.
    var backend: String
    /// Made at the sign-in and kept through all refreshes: what tells this session from the next of the same user.
    var family: String
    /// Grows with each set of tokens, so that two processes know which of them has the later one.
    var revision: Int64
    var tokens: TokenSet
    var user: SessionUser
    /// When the access token is over, by the service's clock.
    var expiry: Instant
    /// How far the service's clock was ahead of the device's when the tokens came.
    var skew: TimeSpan

    /// - Parameter serverDate: the answer's `Date`. Without it the device's clock has to do.
    init(
        backend: String, family: String, revision: Int64, tokens: TokenSet, user: SessionUser, serverDate: Instant?,
        at moment: Moment
    ) {
        self.backend = backend
        self.family = family
        self.revision = revision
        self.tokens = tokens
        self.user = user
        skew = serverDate.map { $0 - moment.now } ?? .zero
        expiry = (serverDate ?? moment.now) + tokens.lifetime.clamped(TokenLife.sensible)
    }

    init(
        backend: String, family: String, revision: Int64, tokens: TokenSet, user: SessionUser, expiry: Instant,
        skew: TimeSpan
    ) {
        self.backend = backend
        self.family = family
        self.revision = revision
        self.tokens = tokens
        self.user = user
        self.expiry = expiry
        self.skew = skew
    }

    /// What is left of the access token's life in a process that did not see it come: by the device's clock, put right
    /// by what it was wrong then. Should it have been set since, the service says so with a 401, which costs one
    /// refresh.
    func life(at moment: Moment) -> TokenLife {
        var left = expiry - (moment.now + skew)
        // Nothing renews it: let the service say that it is over, and not a clock that may be wrong.
        if tokens.refreshToken == nil { left = max(left, .minutes(1)) }
        return TokenLife(left: left, of: tokens.lifetime, at: moment.uptime)
    }
}
