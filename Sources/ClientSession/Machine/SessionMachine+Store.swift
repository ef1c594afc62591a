// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What the store says while there is a session in memory, and what another process has put there.
extension SessionMachine {
    mutating func respondToStore(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        switch event {
        case .storeChanged:
            return read(at: moment)
        case .storeRead(let call, let contents):
            guard call == reading else { return [] }
            reading = nil
            return compare(contents, at: moment)
        case .storeUnlocked:
            return phase.session?.unwritten == nil ? [] : writeAgain()
        case .written(let call):
            guard call == writing else { return [] }
            writing = nil
            change { $0.unwritten = nil }
            return []
        case .outdated(let call):
            guard call == writing else { return [] }
            writing = nil
            spareReplaced(of: phase.session?.kept.family)
            change { $0.unwritten = nil }
            return []
        case .writeFailed(let call, let error):
            guard call == writing else { return [] }
            writing = nil
            change { $0.unwritten = $0.unwritten.again(after: AuthError(.storeUnavailable), at: moment) }
            return [.report(.notStored(error))]
        case .erased(let found):
            let isLate = unerased != nil
            unerased = nil
            let giving = phase.session == nil ? found.map { [SessionAction.revoke($0.tokens, .local)] } ?? [] : []
            // A sign-out that could not be finished when it was asked for.
            return giving + (isLate && phase.session == nil ? [.endLeaving] : [])
        case .eraseFailed(let family, let error):
            // Somebody has signed in since: what was there is overwritten.
            guard family != nil || phase.session == nil else { return [] }
            unerased = Unerased(
                family: family, retry: (unerased?.retry).again(after: AuthError(.storeUnavailable), at: moment))
            return [.report(.notErased(error))]
        case .storeHoldsEnded(let family):
            guard let session = phase.session else { return [.erase(family: family)] }
            return session.kept.family == family ? [] : writeAgain()
        case .clockTick:
            return rewrite(at: moment)
        case .refreshSucceeded(_, let grant):
            return dropLate(grant)
        default: return []
        }
    }

    private mutating func compare(_ contents: StoreContents, at moment: Moment) -> [SessionAction] {
        guard let session = phase.session else { return [] }
        switch contents {
        case .session(let kept, let standing):
            guard kept.isLater(than: session.kept), kept.backend == backend else { return [] }
            // Written by somebody who did not know yet, or before the present one that is not in the store.
            if ended.contains(kept.family) { return writeAgain() }
            if session.unwritten != nil, kept.family != session.kept.family { return [] }
            return adopt(kept, standing, waiters: phase.waiters, at: moment)
        case .nothing, .left, .step:
            // Another process signed out; but not where this one's session has never come into the store.
            return session.unwritten == nil ? end(.userSignedOut) : []
        case .corrupted:
            return writeAgain()
        case .unreadable:
            return []
        }
    }

    /// Goes on with what another process has written.
    mutating func adopt(
        _ kept: KeptSession, _ standing: OfflineStanding?, waiters: [WaiterID], at moment: Moment
    ) -> [SessionAction] {
        let former = phase.session
        let isSame = Subject.isSame(kept.user.subject, former?.user.subject)
        spareReplaced(of: kept.family)
        beginGeneration()
        // The other process notes when the service was asked after it has written what came.
        var session = LiveSession(kept, standing: standing ?? (isSame ? former?.standing : nil), at: moment)
        // Renewed elsewhere for the same refusal: two processes must not do that in turns.
        if let former { session.follow(former, at: moment) }
        guard isSame else {
            let clearing = former.map {
                [SessionAction.clearLocalData(nil, subject: $0.user.subject)]
            }
            return [.cancelRefresh] + resume(waiters, with: .failure(AuthError(.superseded))) + (clearing ?? [])
                + open(session, waiters: [], at: moment)
        }
        return [.cancelRefresh] + open(session, waiters: waiters, at: moment)
    }

    /// Writes what is in memory once more, in the background.
    mutating func writeAgain() -> [SessionAction] {
        guard let session = phase.session else { return [] }
        let call = nextStoreCall()
        writing = call
        reading = nil
        return [.write(session.kept, call)]
    }

    /// The same, where it is time for it.
    mutating func rewrite(at moment: Moment) -> [SessionAction] {
        guard writing == nil, let retry = phase.session?.unwritten, moment.uptime >= retry.next else { return [] }
        return writeAgain()
    }

    mutating func retryErasing(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        guard let unerased else { return [] }
        switch event {
        case .clockTick where moment.uptime >= unerased.retry.next, .storeUnlocked:
            self.unerased?.retry = unerased.retry.again(after: unerased.retry.error, at: moment)
            return [.erase(family: unerased.family), .guardStore]
        default: return []
        }
    }

    mutating func change(_ body: (inout LiveSession) -> Void) {
        switch phase {
        case .signedIn(var signedIn):
            body(&signedIn.session)
            phase = .signedIn(signedIn)
        case .refreshing(var refreshing):
            body(&refreshing.session)
            phase = .refreshing(refreshing)
        case .offline(var offline):
            body(&offline.session)
            phase = .offline(offline)
        case .restoring, .storeLocked, .signedOut, .awaiting, .storing: break
        }
    }
}

extension KeptSession {
    /// Whether it was written after the other: another session, or the same with later tokens.
    func isLater(than other: KeptSession) -> Bool {
        if family != other.family { return true }
        return revision > other.revision || revision == other.revision && !tokens.areSame(as: other.tokens)
    }
}

extension TokenSet {
    /// Whether they are the very same. One equal text says little: two access tokens of one second can be equal.
    func areSame(as other: TokenSet) -> Bool {
        accessToken.reveal() == other.accessToken.reveal() && idToken?.reveal() == other.idToken?.reveal()
            && refreshToken?.reveal() == other.refreshToken?.reveal()
    }
}
