// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What the machine asks for, done one after the other. Nothing here waits for the service or for another process: that
// is begun, and what comes of it is told to the machine.
extension SessionService {
    func run() {
        Task { await self.drain() }
    }

    private func drain() async {
        while true {
            let next = core.withLock { core -> SessionCore.Task? in
                guard !core.lane.isEmpty else {
                    core.isRunning = false
                    return nil
                }
                return core.lane.removeFirst()
            }
            switch next {
            case nil: return
            case .reached(let continuation): continuation.resume()
            case .tell(let state, let key): tell(state, key)
            case .follow(let tokens):
                guard let backend = backend as? any SessionFollowing else { continue }
                await patiently { await backend.sessionBecame(tokens) }
            case .action(let action): await carryOut(action)
            }
        }
    }

    private func carryOut(_ action: SessionAction) async {
        switch action {
        case .readStore, .write, .erase, .keepStanding, .beginLeaving, .endLeaving, .keepStep, .forgetStep:
            await ask(action)
        case .guardStore: guardStore()
        case .beginRefresh(let refresh): beginRefresh(refresh)
        case .cancelRefresh: core.withLock { $0.refresh }?.cancel()
        case .confirm(let generation, let tokens): confirm(generation, tokens)
        case .schedule(let due): schedule(due)
        case .cancelTimer: core.withLock { $0.timer }?.cancel()
        case .resume(let waiters, let outcome): resume(waiters, with: outcome)
        case .finish(let attempt, let error): finish(attempt, error)
        case .notify: break
        case .clearLocalData(let options, let subject): await clearLocalData(options, of: subject)
        case .tellAgain(let unheard): await tellAgain(unheard)
        case .followLeaving(let subject): await followLeaving(of: subject)
        case .claimLocalData(let kept): await claimLocalData(for: kept)
        case .signOutOfProviders: await signOutOfProviders()
        case .revoke(let tokens, let scope):
            let revocation = revoke(tokens, scope)
            core.withLock { $0.revocation = revocation }
        case .flushQueue: flushQueue()
        case .report(let problem): report(problem)
        }
    }

    /// Whoever began it knows, and its service need not be asked any longer.
    private func finish(_ attempt: AttemptID, _ error: AuthError?) {
        let (caller, work) = core.withLock { core in
            (core.attempts.removeValue(forKey: attempt), core.asking.removeValue(forKey: attempt))
        }
        caller?.resume(returning: error)
        work?.cancel()
    }

    private func resume(_ waiters: [WaiterID], with outcome: TokenOutcome) {
        let resumed = core.withLock { core in waiters.compactMap { core.waiters.removeValue(forKey: $0) } }
        for waiter in resumed { waiter.resume(returning: outcome) }
    }

    private func schedule(_ due: TimeSpan) {
        let span = TimeSpan(microseconds: max(0, (due - clock.uptime).microseconds))
        let clock = clock
        let timer = Task { [weak self] in
            guard (try? await clock.wait(span)) != nil else { return }
            self?.post(.clockTick)
        }
        let former = core.withLock { core in
            defer { core.timer = timer }
            return core.timer
        }
        former?.cancel()
    }

    private func flushQueue() {
        guard let user = core.withLock({ $0.machine.phase.session?.user }) else { return }
        let (companions, readying) = (companions, readying)
        Task { [weak self] in
            try? await readying.take {
                for companion in companions {
                    // Whoever has gone meanwhile has nothing to send, and would be taken for who is there.
                    guard let self,
                        Subject.isSame(self.core.withLock { $0.machine.phase.session?.user.subject }, user.subject)
                    else { return }
                    await self.patiently { await companion.sessionReady(user) }
                }
            }
        }
    }

    /// Nobody else's slowness holds up a sign-out for long.
    ///
    /// - Returns: whether it was done by then.
    @discardableResult
    func patiently(
        for span: TimeSpan = SessionService.patience, _ body: @escaping @Sendable () async -> Void
    ) async -> Bool {
        let clock = clock
        let isDone = Guarded(false)
        let (stream, done) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let work = Task {
            await body()
            isDone.withLock { $0 = true }
            done.yield()
        }
        let limit = Task {
            if (try? await clock.wait(span)) != nil { done.yield() }
        }
        for await _ in stream { break }
        limit.cancel()
        // Before it is cancelled: what ends by that has not done what it was asked for.
        let outcome = isDone.value
        work.cancel()
        return outcome
    }
}
