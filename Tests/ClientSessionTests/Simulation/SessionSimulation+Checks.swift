// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

// What has to hold after every step, and when everything is over.
extension SessionSimulation {
    /// Whose device it is, by what happens to it, in words that a user would agree with.
    func note(_ event: SessionEvent, of process: SimulatedProcess) {
        switch event {
        case .signInBegan(let id): process.latest = id
        case .signInSucceeded(let id, let grant, let family):
            guard id == process.latest, let user = grant.user else { return }
            process.latest = nil
            mayEnd.formUnion(sessions.keys.filter { $0 != family })
            owner = Owner(user: user.subject, family: family)
        case .signInFailed(let id, _), .stepAwaited(let id, _): if process.latest == id { process.latest = nil }
        case .stepAbandoned: process.latest = nil
        case .signOutRequested:
            process.latest = nil
            let family = process.machine.phase.session?.kept.family
            if let family { mayEnd.insert(family) }
            if family == nil { mayEnd.formUnion(sessions.keys) }
            if family == nil || family == owner?.family { owner = nil }
        default: break
        }
    }

    func check(
        _ event: SessionEvent, _ actions: [SessionAction], _ before: LiveSession?, of process: SimulatedProcess
    ) {
        let after = process.machine.phase.session
        if let after {
            check(after.kept, "shown")
            if process.ended.contains(after.kept.family) { fail("an ended session is back: \(after.kept.family)") }
            let present = Owner(user: after.user.subject, family: after.kept.family)
            if processes.count == 1, present != owner {
                fail("\(present) is signed in, and not \(owner.map { "\($0)" } ?? "nobody")")
            }
        } else if let before, case .signedOut(let reason) = process.machine.phase {
            let family = before.kept.family
            process.ended.insert(family)
            let isDead = sessions[family].map { server.families[$0].end != nil } ?? false
            let isAllowed = reason == .userSignedOut ? mayEnd.contains(family) || isDead : isDead
            if !isAllowed { fail("\(family) was ended without a reason: \(reason.rawValue)") }
        }
        if case .signInSucceeded = event, let after { process.ended.remove(after.kept.family) }
        checkTimers(event, actions, of: process)
    }

    private func checkTimers(_ event: SessionEvent, _ actions: [SessionAction], of process: SimulatedProcess) {
        for action in actions {
            switch action {
            case .schedule(let due):
                if due <= time { fail("a timer in the past") }
            case .beginRefresh, .confirm:
                guard event.isNobodysWish else { continue }
                process.requests.append(time)
                process.requests.removeAll { $0 + .hours(1) < time }
                if process.requests.count > 60 { fail("a storm: more than one request a minute, unasked") }
            default: break
            }
        }
    }

    /// Every token is one that the service gave to the session's user.
    private func check(_ kept: KeptSession, _ place: String) {
        guard let family = server.family(of: kept.tokens), sessions[kept.family] == family,
            server.families[family].user == kept.user.subject
        else { return fail("\(place): \(kept.user.subject) with somebody else's token") }
    }

    func checkStored() {
        guard let kept = store.kept else { return }
        check(kept, "stored")
    }

    // MARK: The end

    /// Good weather, and time for everything that is under way.
    func drain() {
        record("everything is well again")
        weather = .fine
        store.fault = nil
        for process in processes {
            post(.networkChanged(isReachable: true), to: process)
            post(.storeUnlocked, to: process)
            // Whoever is asked for a code still gives up.
            post(.stepAbandoned, to: process)
        }
        rest()
        for _ in 0..<3 {
            for process in processes { post(.storeChanged, to: process) }
            rest()
        }
        guard violation == nil else { return }
        for process in processes where !process.waiters.isEmpty || !process.attempts.isEmpty {
            fail("\(process.waiters.count + process.attempts.count) callers were forgotten")
        }
        let families = processes.map { $0.machine.phase.session?.kept.family }
        if Set(families + [store.kept?.family]).count > 1 {
            fail("no agreement: \(families.map { $0 ?? "-" }), stored \(store.kept?.family ?? "-")")
        }
        guard !hasCrashed, !store.hasFailed, let family = families.first else { return }
        let isDead = owner.flatMap { sessions[$0.family] }.map { server.families[$0].end != nil } ?? true
        if family != owner?.family, !(isDead && family == nil) {
            fail("\(family ?? "nobody") is signed in, and not \(owner?.family ?? "nobody")")
        }
    }

    private func rest() {
        for _ in 0..<1000 where violation == nil {
            if runSomething() { continue }
            if jobs.isEmpty, processes.allSatisfy(\.isAtRest) { return }
            let next =
                jobs.map(\.ready) + processes.compactMap(\.timer)
                + processes.filter { !$0.lane.isEmpty }.map(\.laneReady)
            guard let due = next.filter({ $0 > time }).min() else { break }
            pass(due - time)
        }
        fail("it never comes to rest: \(processes.map { $0.machine.phase.name })")
    }
}

extension SessionEvent {
    /// Nobody has asked for anything, and nothing has changed around.
    var isNobodysWish: Bool {
        switch self {
        case .clockTick, .refreshSucceeded, .refreshFailed, .confirmed, .confirmationFailed, .written, .writeFailed:
            true
        default: false
        }
    }
}
