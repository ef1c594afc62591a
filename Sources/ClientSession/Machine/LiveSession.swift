// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A session in memory.
struct LiveSession: Sendable {
    var kept: KeptSession
    var life: TokenLife
    /// When the service last confirmed it. `nil` where nobody knows any more.
    var standing: OfflineStanding?
    /// The uptime at the last look at ``standing``.
    var looked: TimeSpan
    /// Set while the store does not have it: what to write again, and when.
    var unwritten: Backoff?
    /// The service refused the access token before its time.
    var isRefused = false
    /// The uptime at which a refusal last led to a new token: one that is refused as well is not the token's fault.
    var renewedForRefusal: TimeSpan?
    /// The token that came for it reads as the refused one did.
    var isSameText = false

    /// As another run or another process left it.
    init(_ kept: KeptSession, standing: OfflineStanding?, at moment: Moment) {
        self.kept = kept
        life = kept.life(at: moment)
        self.standing = standing?.seen(moment.now)
        looked = moment.uptime
    }

    /// As it came from the service just now.
    init(new kept: KeptSession, serverDate: Instant?, at moment: Moment) {
        self.kept = kept
        life = TokenLife(of: kept.tokens.lifetime, at: moment.uptime)
        standing = OfflineStanding(subject: kept.user.subject, validatedAt: moment.now, serverDate: serverDate)
        looked = moment.uptime
    }

    var tokens: TokenSet { kept.tokens }
    var user: SessionUser { kept.user }

    func isUsable(at moment: Moment) -> Bool { !isRefused && life.isUsable(at: moment.uptime) }
    /// Without anything that renews it, a token serves to its end.
    func needsRenewal(at moment: Moment) -> Bool {
        isRefused || moment.uptime >= (tokens.refreshToken == nil ? life.lastUse : life.renewal)
    }

    /// The same session with the service's next answer.
    func renewed(by grant: SessionGrant, at moment: Moment) -> LiveSession {
        let next = KeptSession(
            backend: kept.backend, family: kept.family, revision: kept.revision &+ 1, tokens: grant.tokens,
            user: grant.user ?? kept.user, serverDate: grant.serverDate, at: moment)
        var session = LiveSession(new: next, serverDate: grant.serverDate, at: moment)
        session.follow(self, at: moment)
        return session
    }

    /// Comes in the place of another set of tokens of the session.
    mutating func follow(_ former: LiveSession, at moment: Moment) {
        guard former.kept.family == kept.family else { return }
        renewedForRefusal = former.isRefused ? moment.uptime : former.renewedForRefusal
        isSameText = former.tokens.accessToken.reveal() == tokens.accessToken.reveal()
    }

    /// Notes how much time has been seen to pass, for the day on which nobody can be asked.
    mutating func look(at moment: Moment) {
        standing = standing?.seen(moment.now, passed: moment.uptime - looked)
        looked = moment.uptime
    }
}
