// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What the machine asks for, done one after the other. Nothing here waits for the service or for another process: that is
// begun, and what comes of it is told to the machine.
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
            case .action(let action): await carryOut(action)
            }
        }
    }

    private func carryOut(_ action: SessionAction) async {
        switch action {
        case .readStore(let call):
            post(.storeRead(call, await store.read()))
        case .write(let kept, let call):
            do throws(SecureStoreError) {
                // Another process may be renewing what a sign-in replaces, and write it once more.
                let isSignIn = core.withLock { $0.machine.isSignIn(call) }
                let former = isSignIn ? await store.read() : .nothing
                try await store.write(kept)
                if case .session(let former, _) = former, former.family != kept.family {
                    core.withLock { $0.machine.note(overwritten: former.family) }
                }
                post(.written(call))
            } catch { post(.writeFailed(call, error)) }
        case .erase(let family):
            do throws(SecureStoreError) {
                post(.erased(found: try await store.erase(family: family)))
            } catch { post(.eraseFailed(family: family, error)) }
        case .keepStanding(let standing): await store.keep(standing)
        case .guardStore: guardStore()
        case .beginRefresh(let refresh): beginRefresh(refresh)
        case .cancelRefresh: core.withLock { $0.refresh }?.cancel()
        case .confirm(let generation, let tokens): confirm(generation, tokens)
        case .schedule(let due): schedule(due)
        case .cancelTimer: core.withLock { $0.timer }?.cancel()
        case .resume(let waiters, let outcome): resume(waiters, with: outcome)
        case .finish(let attempt, let error):
            core.withLock { $0.attempts.removeValue(forKey: attempt) }?.resume(returning: error)
        case .notify: notify()
        case .clearLocalData(let options):
            for companion in companions { await patiently { await companion.sessionEnded(options) } }
        case .signOutOfProviders:
            for provider in providers { await patiently { await provider.signOut() } }
        case .revoke(let tokens, let scope): tell(revoke(tokens, scope))
        case .flushQueue: flushQueue()
        case .report(let problem): report(problem)
        }
    }

    private func resume(_ waiters: [WaiterID], with outcome: TokenOutcome) {
        let resumed = core.withLock { core in waiters.compactMap { core.waiters.removeValue(forKey: $0) } }
        for waiter in resumed { waiter.resume(returning: outcome) }
    }

    private func schedule(_ due: Span) {
        let span = Span(microseconds: max(0, (due - clock.uptime).microseconds))
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

    /// Lets a sign-out that waits for it know when the service has answered.
    private func tell(_ revocation: Task<Void, Never>) {
        let asked = core.withLock { core in
            defer { core.asked = nil }
            return core.asked
        }
        guard let asked else { return }
        Task {
            await revocation.value
            asked.finish()
        }
    }

    private func flushQueue() {
        guard let user = core.withLock({ $0.machine.phase.session?.user }) else { return }
        let companions = companions
        Task { for companion in companions { await companion.sessionReady(user) } }
    }

    /// Nobody else's slowness holds up a sign-out for long.
    func patiently(_ body: @escaping @Sendable () async -> Void) async {
        let clock = clock
        let (stream, done) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let work = Task {
            await body()
            done.yield()
        }
        let limit = Task {
            if (try? await clock.wait(Self.patience)) != nil { done.yield() }
        }
        for await _ in stream { break }
        limit.cancel()
        work.cancel()
    }
}
