// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a session is and what becomes of it: events in, actions out. It knows no clock, no store, no network and no
/// task, so that every order of events can be played, and `docs/client/session-states.md` is written by walking it.
///
/// Whatever takes time carries the ``generation`` it began in. Signing in, signing out and taking over what another
/// process did each begin the next, and what comes back from a former one changes nothing (no late answer stores
/// another user's session).
struct SessionMachine: Sendable {
    let backend: String
    let policy: OfflinePolicy
    var phase: SessionPhase = .restoring(SessionPhase.Restoring())
    /// Whose session it is, counted.
    var generation = 0
    /// The sign-in that is under way, and the step that it waits with.
    var attempt: AttemptID?
    /// The sign-in whose caller waits for the service's answer: ``attempt``, or none.
    var asking: AttemptID?
    /// How often somebody began to sign in, signed out or gave a step up, and meant by it that no earlier sign-in
    /// counts.
    var supersessions = 0
    /// What the device's network says of itself. `nil` where it has not said anything.
    var isReachable: Bool?
    /// The reading that is awaited. What an earlier one brings is from before something that has changed since.
    var reading: StoreCallID?
    /// When a store that has not answered it is silent. `nil` once it is.
    var readingDeadline: TimeSpan?
    /// The writing that is awaited.
    var writing: StoreCallID?
    /// A session that was ended and could not be erased yet.
    var unerased: Unerased?
    /// Sessions that were ended or replaced here, the last ones: another process may put one into the store once more.
    private(set) var ended: [String] = []
    /// In whose place another session has come, and whom the service goes on knowing: they are given back once that one
    /// is in the store, so that whoever is killed before goes on with what is there.
    var replaced: [KeptSession] = []
    /// The session whose service might end it together with one that it took the place of
    /// (``SessionGrant/replacesSession``).
    var related: String?
    /// What companions were told and have not come to an end with.
    var tellings: [Telling] = []
    /// The texts of the present session's access tokens, the last ones, hashed: who shows one that was refused, and
    /// does not say when they got it, may have got it in another session.
    private var texts: (family: String, hashes: [Int]) = ("", [])
    private var storeCalls = 0
    private var steps = 0
    private var timer: TimeSpan?

    struct Unerased: Sendable {
        var family: String?
        var retry: Backoff
    }

    /// - Parameter backend: see ``IdentityBackend/name``.
    init(backend: String, policy: OfflinePolicy = .standard) {
        self.backend = backend
        self.policy = policy
    }

    mutating func handle(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        let before = phase.shownKey
        let family = phase.session?.kept.family
        defer {
            note(family)
            noteText()
        }
        var actions = respond(to: event, at: moment)
        actions += giveBackReplaced()
        forgetReturned()
        let isTold = actions.contains { if case .notify = $0 { true } else { false } }
        // Listeners before callers: who gets a token finds the app signed in.
        if phase.shownKey != before, !isTold { actions.insert(.notify, at: 0) }
        return actions + setTimer(at: moment)
    }

    private mutating func respond(to event: SessionEvent, at moment: Moment) -> [SessionAction] {
        switch event {
        case .signInBegan, .signInSucceeded, .stepAwaited, .signInFailed, .stepAbandoned:
            return respondToSignIn(event, at: moment)
        case .signOutRequested(let options):
            return signOut(options)
        case .ended(let family, let reason):
            guard phase.session?.kept.family == family else { return [] }
            return reason == .accountDeleted ? endAccount() : end(reason)
        case .storeHoldsEnded, .erased, .eraseFailed:
            return respondToStore(event, at: moment)
        case .unheard, .heard:
            return respondToCompanions(event, at: moment)
        case .waiterLeft(let waiter):
            phase.remove(waiter)
            return []
        case .sessionReplaced(let family, let grant):
            return replace(family, by: grant, at: moment)
        case .tokenRefused(let token, let waiter, let stamp) where isOfAnother(token, stamp):
            return [.resume([waiter], .failure(AuthError(.superseded)))]
        default: break
        }
        if case .networkChanged(let reachable) = event { isReachable = reachable }
        let retrying = retryErasing(event, at: moment) + tellAgain(event, at: moment)
        return retrying + respondInPhase(to: event, at: moment)
    }

    private mutating func respondInPhase(to event: SessionEvent, at moment: Moment) -> [SessionAction] {
        switch phase {
        case .restoring(let restoring): respond(to: event, in: restoring, at: moment)
        case .storeLocked(let locked): respond(to: event, in: locked, at: moment)
        case .signedOut(let reason): respond(to: event, signedOut: reason, at: moment)
        case .awaiting: respond(to: event, signedOut: .neverSignedIn, at: moment)
        case .storing(let storing): respond(to: event, in: storing, at: moment)
        case .signedIn(let signedIn): respond(to: event, in: signedIn, at: moment)
        case .refreshing(let refreshing): respond(to: event, in: refreshing, at: moment)
        case .offline(let offline): respond(to: event, in: offline, at: moment)
        }
    }

    private mutating func note(_ former: String?) {
        let present = phase.session?.kept.family
        if let former, former != present { ended = ended.suffix(7) + [former] }
        if let present { ended.removeAll { $0 == present } }
    }

    /// The store held that session, of which nobody here may have known, until one of here was written over it.
    mutating func note(overwritten former: KeptSession) {
        let present = phase.session?.kept
        guard former.family != present?.family else { return }
        let isKnown = ended.contains(former.family)
        ended = ended.filter { $0 != former.family }.suffix(7) + [former.family]
        guard former.backend == backend else { return }
        if let index = replaced.firstIndex(where: { $0.family == former.family }) {
            if former.isLater(than: replaced[index]) { replaced[index] = former }
        } else if !isKnown, let present {
            replace(former, by: present)
        }
    }

    /// Whether that is how a sign-in comes into the store, and not the same session once more: only then what is there
    /// is older.
    func isSignIn(_ call: StoreCallID) -> Bool {
        guard case .storing(let storing) = phase else { return false }
        return storing.write == call && storing.session.kept.revision == 1
    }

    /// Whether that is how a session comes into the store of which nobody has been told yet.
    func isUntold(_ call: StoreCallID) -> Bool {
        guard case .storing(let storing) = phase else { return false }
        return storing.write == call && storing.attempt != nil
    }

    /// Whether that is how the answer to a refresh comes into the store, of which the store's holder has just seen that
    /// it holds the same session still.
    func isRenewal(_ call: StoreCallID) -> Bool {
        guard case .storing(let storing) = phase else { return false }
        return storing.write == call && storing.isRenewal
    }

    /// Whether what is about to be written must not take the place of what the store holds: another process has renewed
    /// the same session, or has ended or replaced one that the store has had.
    func isOutdated(_ kept: KeptSession, _ call: StoreCallID, by contents: StoreContents) -> Bool {
        guard writing == call, let session = phase.session else { return false }
        let wasStored = if case .storing(let storing) = phase { storing.isRenewal } else { session.unwritten == nil }
        switch contents {
        case .session(let other, _) where other.family == kept.family: return other.revision > kept.revision
        case .session(let other, _):
            return wasStored && other.backend == backend && !ended.contains(other.family)
        case .nothing, .left, .step: return wasStored
        case .corrupted, .unreadable: return false
        }
    }

    /// The token that is given to callers.
    func given(_ session: LiveSession) -> TokenOutcome {
        .token(
            GivenToken(
                token: session.tokens.accessToken, stamp: stamp(of: session), subject: session.user.subject))
    }

    private func stamp(of session: LiveSession) -> TokenStamp {
        TokenStamp(family: session.kept.family, generation: generation, revision: session.kept.revision)
    }

    /// Whether a token that was refused was given in another session than the present one, whose token would make the
    /// request another user's.
    private func isOfAnother(_ refused: Secret<String>, _ stamp: TokenStamp?) -> Bool {
        guard let family = phase.session?.kept.family else { return false }
        if let stamp { return stamp.family != family }
        return texts.family != family || !texts.hashes.contains(refused.reveal().hashValue)
    }

    private mutating func noteText() {
        guard let session = phase.session else { return }
        if texts.family != session.kept.family { texts = (session.kept.family, []) }
        let hash = session.tokens.accessToken.reveal().hashValue
        if texts.hashes.last != hash { texts.hashes = texts.hashes.suffix(63) + [hash] }
    }

    /// Of the tokens that are there now.
    var stamp: TokenStamp? { phase.session.map { stamp(of: $0) } }

    /// Whether a token that was refused is the session's own still, and not one that has been replaced.
    func isPresent(_ refused: Secret<String>, _ stamp: TokenStamp?, in session: LiveSession, at moment: Moment) -> Bool
    {
        if let stamp { return stamp == self.stamp(of: session) }
        guard refused.reveal() == session.tokens.accessToken.reveal() else { return false }
        // The service answered the refusal with a new token of the same text: that is the cure, and is given once more.
        return !(session.isSameText && session.wasJustRenewedForRefusal(at: moment))
    }

    // MARK: Counting

    mutating func nextStoreCall() -> StoreCallID {
        storeCalls += 1
        return storeCalls
    }

    mutating func nextStep() -> Int {
        steps += 1
        return steps
    }

    /// Everything that is under way belongs to the past.
    mutating func beginGeneration() {
        generation += 1
        reading = nil
        readingDeadline = nil
        writing = nil
    }

    // MARK: The one timer

    private mutating func setTimer(at moment: Moment) -> [SessionAction] {
        let due = self.due(at: moment).map { max($0, moment.uptime + .milliseconds(100)) }
        guard let due else {
            defer { timer = nil }
            return timer == nil ? [] : [.cancelTimer]
        }
        // One that rang, or is behind, is set anew.
        if let timer, timer == due, timer > moment.uptime { return [] }
        timer = due
        return [.schedule(due)]
    }

    /// When something is to be done of which nobody else will speak.
    func due(at moment: Moment) -> TimeSpan? {
        let own: [TimeSpan?] =
            switch phase {
            case .restoring: [readingDeadline]
            case .signedOut, .awaiting, .refreshing: []
            case .storeLocked(let locked): [reading == nil ? locked.retry.next : readingDeadline]
            case .storing(let storing): [storing.deadline]
            case .signedIn(let signedIn):
                signedIn.retry.map { [min($0.next, max(signedIn.session.life.lastUse, moment.uptime))] }
                    ?? [
                        signedIn.session.tokens.refreshToken == nil
                            ? signedIn.session.life.lastUse : signedIn.session.life.renewal
                    ]
            case .offline(let offline):
                [
                    offline.retry.next,
                    policy.timeLeft(
                        offline.session.standing, of: offline.session.user.subject, now: moment.now
                    ).map { moment.uptime + $0 },
                ]
            }
        let writing = self.writing == nil ? phase.session?.unwritten?.next : nil
        return (own + [writing, unerased?.retry.next, nextTelling]).compactMap(\.self).min()
    }
}
