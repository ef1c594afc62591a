// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport

@testable import ClientSession

// What takes time and ends in any order.
extension SessionSimulation {
    func work(_ job: SimulatedJob) {
        let process = job.process
        switch job.work {
        case .refresh(let refresh): advance(refresh, of: process)
        case .deadline(let refresh):
            guard !refresh.isCancelled else { return }
            refresh.isCancelled = true
            post(.refreshFailed(refresh.begun.generation, AuthError(.network)), to: process)
        case .guardStore: guardStore(of: process)
        case .confirm(let generation, let answer):
            switch answer {
            case .success(let user): post(.confirmed(generation, user), to: process)
            case .failure(let error): post(.confirmationFailed(generation, error), to: process)
            }
        case .signIn(let id, let user): signIn(id, user, of: process)
        case .stepUp(let stepUp): advance(stepUp, of: process)
        case .revoke(let tokens):
            guard let family = server.family(of: tokens) else { return }
            if case .failure = ask({ Result<Bool, AuthError>.success(true) }) {
                if dice.happens(50) { begin(.revoke(tokens), of: process, in: .minutes(5)) }
                return
            }
            server.end(family, .sessionNotFound)
        }
    }

    /// Raises the session that was there when it was begun: its tokens are others from then on, and those before are
    /// worth as much as those that a refresh has replaced. The machine hears of it as of every operation on the
    /// account.
    private func advance(_ stepUp: SimulatedStepUp, of process: SimulatedProcess) {
        guard let family = server.family(of: stepUp.begun.tokens) else { return }
        switch stepUp.answer {
        case nil:
            let date = serverDate
            let answer = ask { server.raise(stepUp.begun.tokens, date: date) }
            let next = SimulatedStepUp(begun: stepUp.begun, answer: answer)
            begin(.stepUp(next), of: process, in: delay())
        case .success(let grant)?:
            let before = process.machine.phase.session
            post(.sessionReplaced(family: stepUp.begun.family, grant), to: process)
            guard let after = process.machine.phase.session else { return }
            // Whoever is there now is raised only where it is the same session.
            if after.kept.family != stepUp.begun.family, server.family(of: after.tokens) == family {
                fail("a step-up of \(stepUp.begun.family) has raised \(after.kept.family)")
            }
            if let before, before.kept.family != stepUp.begun.family, after.kept.revision != before.kept.revision {
                fail("a step-up of \(stepUp.begun.family) has changed \(after.kept.family)")
            }
        case .failure?: break
        }
    }

    private func signIn(_ id: AttemptID, _ user: String, of process: SimulatedProcess) {
        if dice.happens(20) {
            let step = AwaitedStep(kind: .oneTimePassword, identifier: user, lifetime: .minutes(3))
            return post(.stepAwaited(id, step), to: process)
        }
        let lifetime = dice.one(of: [TimeSpan.minutes(10), .hours(1), .hours(24)])
        let date = serverDate
        let answer = ask { .success(server.signIn(user, lifetime: lifetime)) }
        switch answer {
        case .success(let family):
            let name = "f\(nextID())"
            sessions[name] = family
            post(.signInSucceeded(id, server.grant(family, withUser: true, date: date), family: name), to: process)
        case .failure(let error): post(.signInFailed(id, error), to: process)
        }
    }

    private func guardStore(of process: SimulatedProcess) {
        guard case .session(let kept, _) = store.read(), process.machine.ended.contains(kept.family) else { return }
        let holder = nextID()
        store.holder = holder
        post(.storeHoldsEnded(family: kept.family), to: process)
        process.lane.append(.reached(holder))
    }

    // MARK: The one refresh

    func beginRefresh(_ begun: Refresh, of process: SimulatedProcess) {
        if let former = process.refresh {
            if !former.isCancelled, former.isAsking { fail("a second refresh in one process") }
            former.isCancelled = true
        }
        let refresh = SimulatedRefresh(nextID(), begun, deadline: time + SessionService.refreshDeadline)
        process.refresh = refresh
        begin(.refresh(refresh), of: process)
        begin(.deadline(refresh), of: process, in: SessionService.refreshDeadline)
    }

    private func advance(_ refresh: SimulatedRefresh, of process: SimulatedProcess) {
        let generation = refresh.begun.generation
        switch refresh.stage {
        case .waiting:
            if refresh.isCancelled || process.machine.isAnswered(refresh.begun) {
                return end(refresh, nil, of: process)
            }
            store.holder = refresh.id
            if let event = found(instead: refresh, of: process) { return end(refresh, event, of: process) }
            let others = processes.contains { $0.refresh.map { $0 !== refresh && $0.isAsking } ?? false }
            if others { fail("two refreshes on one store") }
            let date = serverDate
            refresh.stage = .asked(ask { server.refresh(refresh.begun.kept.tokens, date: date) })
            begin(.refresh(refresh), of: process, in: delay())
            if server.reuses > 0, !store.hasFailed { fail("a refresh with a token that was replaced twice") }
        case .asked(.failure(let error)):
            end(refresh, .refreshFailed(generation, error), of: process)
        case .asked(.success(let grant)):
            if refresh.isCancelled, sabotage != .ignoresGenerations, dice.happens(50) {
                return end(refresh, nil, of: process)
            }
            if sabotage != .ignoresGenerations, let event = found(instead: refresh, of: process) {
                if case .refreshFoundNothing = event { begin(.revoke(grant.tokens), of: process) }
                return end(refresh, event, of: process)
            }
            refresh.stage = .ended
            if case .session = store.read() { process.seen = generation }
            post(.refreshSucceeded(generation, grant), to: process)
            process.lane.append(.reached(refresh.id))
        case .ended: break
        }
    }

    private func end(_ refresh: SimulatedRefresh, _ event: SessionEvent?, of process: SimulatedProcess) {
        refresh.stage = .ended
        release(refresh.id)
        // One that was given up says nothing but what it brings.
        if let event, !refresh.isCancelled || sabotage == .ignoresGenerations { post(event, to: process) }
    }

    /// As ``SessionService`` looks into the store.
    private func found(instead refresh: SimulatedRefresh, of process: SimulatedProcess) -> SessionEvent? {
        let begun = refresh.begun
        switch store.read() {
        case .session(let other, let standing):
            guard other.isLater(than: begun.kept), begun.isStored || other.family == begun.kept.family,
                !process.machine.ended.contains(other.family)
            else { return nil }
            return .refreshFoundOther(begun.generation, other, standing)
        case .nothing, .left, .step: return begun.isStored ? .refreshFoundNothing(begun.generation) : nil
        case .corrupted, .unreadable: return nil
        }
    }
}
