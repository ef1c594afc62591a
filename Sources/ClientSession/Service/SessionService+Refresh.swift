// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// The one refresh, and what else asks the service in the background.
extension SessionService {
    func beginRefresh(_ refresh: Refresh) {
        let clock = clock
        let task = Task { [self] in
            // Whoever is first says what became of it: the limit may be reached in the moment after an answer.
            let isTold = Guarded(false)
            let work = Task { await self.carryOut(refresh, isTold) }
            // A store's lock that nobody lets go of, or a vendor that never answers, is no answer.
            let limit = Task {
                guard (try? await clock.wait(Self.refreshDeadline)) != nil, !work.isCancelled, isTold.isFirst() else {
                    return
                }
                work.cancel()
                self.post(.refreshFailed(refresh.generation, AuthError(.network, reason: "no answer in time")))
            }
            await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                work.cancel()
            }
            limit.cancel()
        }
        let former = core.withLock { core in
            defer { core.refresh = task }
            return core.refresh
        }
        former?.cancel()
    }

    /// Within the store's lock: whoever comes second finds what the first one wrote (F5). Being killed at any place
    /// leaves the old session in the store, and a service answers its token once more (F6).
    private func carryOut(_ refresh: Refresh, _ isTold: Guarded<Bool>) async {
        do throws(AuthError) {
            try await repetition { () throws(AuthError) in
                do {
                    try await store.store.exclusively(.session) { [self] in await renew(refresh, isTold) }
                } catch { throw AuthError(.storeUnavailable, reason: "the store's lock") }
            }
        } catch { tell(.refreshFailed(refresh.generation, error), isTold) }
    }

    private func renew(_ refresh: Refresh, _ isTold: Guarded<Bool>) async {
        if Task.isCancelled || core.withLock({ $0.machine.isAnswered(refresh) }) { return }
        let before = await store.look()
        if let event = await found(before, instead: refresh) { return tell(event, isTold) }
        let grant: SessionGrant
        do throws(AuthError) {
            grant = try await repetition { () throws(AuthError) in try await backend.refresh(refresh.kept.tokens) }
        } catch {
            // A changed password ends the tokens from before, and what comes with it may be on its way.
            if error.code.endsSession {
                try? await answers.take {}
                // So does a second factor that was shown in another process, which has stored what came since.
                if let event = await found(await store.look(), instead: refresh), case .refreshFoundOther = event {
                    return tell(event, isTold)
                }
            }
            return tell(.refreshFailed(refresh.generation, error), isTold)
        }
        // Whoever signs out does not wait for the lock, not even in another process.
        var contents = await store.look()
        // What was damaged a moment ago has been put aside, and nobody has signed out.
        if case (.corrupted, .nothing) = (before, contents) { contents = .corrupted }
        let subject = refresh.kept.user.subject
        if let event = await found(contents, instead: refresh) {
            switch event {
            case .refreshFoundNothing: revoke(grant.tokens, .local)
            case .refreshFoundOther(_, let other, _) where other.family != refresh.kept.family:
                let isSame = Subject.isSame(other.user.subject, subject)
                if !isSame || grant.isOfItsOwn(beside: other.tokens) { revoke(grant.tokens, .local) }
            default: break
            }
            return tell(event, isTold)
        }
        _ = isTold.isFirst()
        if case .session = contents { core.withLock { $0.seen = refresh.generation } }
        await settle(.refreshSucceeded(refresh.generation, grant))
        giveBack(grant, of: refresh.kept.family, subject)
    }

    /// Tokens that came too late, where another session is there by now: what ended theirs may not have known them,
    /// since a service may hear of no token any more that it has replaced. One of the same user, who came anew, may be
    /// ended by that too where a service says so.
    func giveBack(_ grant: SessionGrant, of family: String, _ subject: String) {
        guard let present = core.withLock({ $0.machine.phase.session }), present.kept.family != family else { return }
        let isSame = Subject.isSame(present.user.subject, subject)
        if grant.replacesSession == true || !isSame || grant.isOfItsOwn(beside: present.tokens) {
            revoke(grant.tokens, .local)
        }
    }

    /// A refresh that was given up says no more than the tokens it may still bring: the next one may be under way, and
    /// would be taken for failed.
    private func tell(_ event: SessionEvent, _ isTold: Guarded<Bool>) {
        if !Task.isCancelled, isTold.isFirst() { post(event) }
    }

    /// What the store holds in place of the session that is to be renewed. A store that can't be read or never got the
    /// session says nothing, and neither does one into which another process wrote what was ended here.
    private func found(_ contents: StoreContents, instead refresh: Refresh) async -> SessionEvent? {
        switch contents {
        case .session(let other, _):
            guard other.isLater(than: refresh.kept), other.backend == refresh.kept.backend,
                refresh.isStored || other.family == refresh.kept.family,
                !core.withLock({ $0.machine.ended.contains(other.family) })
            else { return nil }
            return .refreshFoundOther(refresh.generation, other, await store.standing(of: other.user.subject))
        case .nothing, .left, .step: return refresh.isStored ? .refreshFoundNothing(refresh.generation) : nil
        case .corrupted, .unreadable: return nil
        }
    }

    /// Asks who the user is, which says whether the session holds.
    func confirm(_ generation: Int, _ tokens: TokenSet) {
        Task { [weak self] in
            guard let self else { return }
            do throws(AuthError) {
                let user = try await repetition { () throws(AuthError) in try await backend.user(tokens) }
                post(.confirmed(generation, user))
            } catch { post(.confirmationFailed(generation, error)) }
        }
    }

    /// Another process that was refreshing may write what was ended here. Its lock is free when it has.
    func guardStore() {
        Task { [weak self] in
            guard let self else { return }
            try? await store.store.exclusively(.session) { [self] in
                guard case .session(let kept, _) = await store.read() else { return }
                let isEnded = core.withLock { core in
                    core.machine.ended.contains(kept.family)
                }
                if isEnded { await settle(.storeHoldsEnded(family: kept.family)) }
            }
        }
    }

    /// Ends a session at the service, as well as can be: the device has forgotten it, and these tokens live in memory
    /// only.
    ///
    /// - Returns: what ends when the first answer, or lack of one, has come.
    @discardableResult
    func revoke(_ tokens: TokenSet, _ scope: SignOutScope) -> Task<Void, Never> {
        let (backend, clock) = (backend, clock)
        let (stream, first) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        Task { [weak self] in
            var retry: Backoff?
            var left = scope
            while retry.map({ $0.failures < 8 }) ?? true {
                do throws(AuthError) {
                    try await backend.revoke(tokens, scope: left)
                    break
                } catch {
                    guard Self.mayPass(error) else {
                        if left != .local { self?.report(.notEnded(left, error.code)) }
                        // What can't be ended everywhere is at least ended here.
                        guard left == .global else { break }
                        left = .local
                        continue
                    }
                    first.yield()
                    guard let moment = self?.moment else { break }
                    let next = retry.again(after: error, at: moment)
                    retry = next
                    if left != .local, next.failures == 8 { self?.report(.notEnded(left, error.code)) }
                    guard (try? await clock.wait(next.next - moment.uptime)) != nil else { break }
                }
            }
            first.yield()
        }
        return Task { for await _ in stream { break } }
    }

    private static func mayPass(_ error: AuthError) -> Bool {
        [.network, .unavailable, .overloaded, .rateLimited, .internalFailure].contains(error.code)
    }
}

extension SessionGrant {
    /// Whether ending it leaves another session of the same user alone.
    fileprivate func isOfItsOwn(beside other: TokenSet) -> Bool {
        replacesSession != false && !tokens.areSame(as: other)
            && (tokens.refreshToken == nil || tokens.refreshToken?.reveal() != other.refreshToken?.reveal())
    }
}

extension Guarded<Bool> {
    /// Whether nobody has asked before.
    fileprivate func isFirst() -> Bool {
        withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
