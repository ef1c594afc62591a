// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport

@testable import ClientSession

// What a machine asks for, done as the shell does.
extension SessionSimulation {
    func carryOut(next process: SimulatedProcess) {
        switch process.lane.removeFirst() {
        case .reached(let holder): release(holder)
        case .action(let action): carryOut(action, of: process)
        }
    }

    private func carryOut(_ action: SessionAction, of process: SimulatedProcess) {
        switch action {
        case .readStore(let call):
            var contents = store.read()
            if case .nothing = contents, let step = store.step, process.machine.phase.isRestoring,
                process.machine.attempt == nil
            {
                contents = .step(step)
            }
            post(.storeRead(call, contents), to: process)
        case .write(let kept, let call):
            if isOutdated(kept, call, of: process) {
                post(.outdated(call), to: process)
                post(.storeChanged, to: process)
                break
            }
            let former = process.machine.isSignIn(call) ? store.read() : .nothing
            if let error = store.write(kept) {
                post(.writeFailed(call, error), to: process)
            } else {
                if case .session(let former, _) = former, former.family != kept.family {
                    process.machine.note(overwritten: former)
                }
                checkStored()
                post(.written(call), to: process)
            }
        case .erase(let family):
            if family == nil, let stored = store.kept { mayEnd.insert(stored.family) }
            switch store.erase(family: family) {
            case .success(let found): post(.erased(found: found), to: process)
            case .failure(let error): post(.eraseFailed(family: family, error), to: process)
            }
        case .keepStanding(let standing): if store.fault == nil { store.standing = standing }
        case .guardStore: begin(.guardStore, of: process)
        case .beginRefresh(let refresh): beginRefresh(refresh, of: process)
        case .cancelRefresh: process.refresh?.isCancelled = true
        case .confirm(let generation, let tokens):
            let answer = ask { server.user(tokens) }
            begin(.confirm(generation, answer), of: process, in: delay())
        case .schedule(let due): process.timer = due
        case .cancelTimer: process.timer = nil
        case .resume(let waiters, let outcome): resume(waiters, with: outcome, of: process)
        case .finish(let attempt, _):
            if process.attempts.remove(attempt) == nil { fail("a sign-in ends that nobody waits for") }
        case .revoke(let tokens, _): begin(.revoke(tokens), of: process, in: delay())
        case .keepStep(let step): if store.fault == nil { store.step = step }
        case .forgetStep: if store.fault == nil { store.step = nil }
        case .notify, .clearLocalData, .signOutOfProviders, .flushQueue, .report, .beginLeaving, .endLeaving,
            .followLeaving, .claimLocalData, .tellAgain:
            break
        }
        // It rings at once if it is set for what has passed meanwhile.
        if let timer = process.timer, timer <= time {
            process.timer = nil
            post(.clockTick, to: process)
        }
    }

    private func isOutdated(_ kept: KeptSession, _ call: StoreCallID, of process: SimulatedProcess) -> Bool {
        let machine = process.machine
        let isSeen = machine.isRenewal(call) && process.seen == machine.generation
        process.seen = nil
        guard !isSeen, !machine.isSignIn(call) else { return false }
        return machine.isOutdated(kept, call, by: store.read())
    }

    private func resume(_ waiters: [WaiterID], with outcome: TokenOutcome, of process: SimulatedProcess) {
        for waiter in sabotage == .forgetsWaiters ? Array(waiters.dropFirst()) : waiters {
            // One that left is not there any more.
            guard let asked = process.waiters.removeValue(forKey: waiter) else { continue }
            guard case .token(let token) = outcome else { continue }
            let tokens = TokenSet(accessToken: token.token, lifetime: .zero)
            let user = server.family(of: tokens).map { server.families[$0].user }
            if let asked, asked != user { fail("who asked as \(asked) gets a token of \(user ?? "nobody")") }
        }
    }

    func release(_ holder: Int) {
        if store.holder == holder { store.holder = nil }
    }

    // MARK: The network

    func delay() -> TimeSpan {
        weather == .slow ? .seconds(Int64(dice.below(120))) : .milliseconds(Int64(dice.below(2000)))
    }

    /// The service hears of it or not, perhaps twice, and its answer arrives or not.
    func ask<Answer>(_ request: () -> Result<Answer, AuthError>) -> Result<Answer, AuthError> {
        switch weather {
        case .fine, .slow: return request()
        case .lossy:
            if dice.happens(30) { return .failure(AuthError(.network)) }
            let answer = request()
            if dice.happens(30) { return .failure(AuthError(.network)) }
            return dice.happens(30) ? request() : answer
        case .limited:
            return .failure(AuthError(.rateLimited, retryAfter: .seconds(Int64(dice.below(7200)))))
        case .faulty: return .failure(AuthError(dice.happens(50) ? .unavailable : .internalFailure))
        case .captive: return .failure(AuthError(.unavailable, reason: "somebody else's page"))
        case .down: return .failure(AuthError(.network))
        }
    }

    var serverDate: Instant? { dice.happens(70) ? serverNow : nil }
}
