// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport

@testable import ClientSession

// What users, operators, systems and the world do.
extension SessionSimulation {
    func happen() {
        let process = dice.one(of: processes)
        switch dice.below(100) {
        case 0..<25: wantToken(of: process)
        case 25..<30: refuseToken(of: process)
        case 30..<32: dice.happens(60) ? beginStepUp(of: process) : post(.stepAbandoned, to: process)
        case 32..<42: beginSignIn(of: process)
        case 42..<47: signOut(of: process)
        case 47..<61: pass(dice.one(of: [.seconds(1), .seconds(20), .minutes(5), .hours(1), .hours(30), .days(9)]))
        case 61..<64:
            skew = dice.one(of: [.zero, .hours(1), .hours(-1), .days(3650), .days(-3650)])
            record("the clock is set to \(skew.microseconds / 3_600_000_000) h off")
            if dice.happens(70) { post(.clockTick, to: process) }
        case 64..<73:
            weather = dice.happens(40) ? .fine : dice.one(of: Weather.allCases)
            record("weather: \(weather)")
            if dice.happens(50) {
                for each in processes { post(.networkChanged(isReachable: weather != .down), to: each) }
            }
        case 73..<78:
            store.fault = store.fault == nil ? dice.one(of: [.locked, .full, .unavailable(reason: "simulated")]) : nil
            record("store: \(store.fault.map { "\($0)" } ?? "fine")")
            if store.fault == nil, dice.happens(50) { for each in processes { post(.storeUnlocked, to: each) } }
        case 78..<82: crash(process)
        case 82..<89: post(.storeChanged, to: process)
        case 89..<91: operatorEnds()
        case 91..<93:
            if let waiter = process.waiters.keys.min() {
                process.waiters[waiter] = nil
                post(.waiterLeft(waiter), to: process)
            }
        case 93..<94: damageStore()
        case 94..<97:
            process.laneReady = time + .seconds(Int64(dice.below(30)))
            record("p\(process.number) has a slow store")
        case 97..<99: askForUser(of: process)
        default: post(.clockTick, to: process)
        }
    }

    /// The app asks who the user is, whose profile may be another by now.
    private func askForUser(of process: SimulatedProcess) {
        guard let session = process.machine.phase.session, let family = server.family(of: session.tokens) else {
            return
        }
        if dice.happens(70) { server.rename(family) }
        let answer = ask { server.user(session.tokens) }
        guard case .success = answer else { return }
        begin(.confirm(process.machine.generation, answer), of: process, in: delay())
    }

    private func wantToken(of process: SimulatedProcess) {
        let waiter = nextID()
        process.waiters[waiter] = .some(process.machine.phase.session?.user.subject)
        post(.tokenWanted(waiter), to: process)
    }

    private func refuseToken(of process: SimulatedProcess) {
        guard let session = process.machine.phase.session else { return }
        let waiter = nextID()
        process.waiters[waiter] = .some(session.user.subject)
        let token = dice.happens(70) ? session.tokens.accessToken : Secret("access-of-yesterday")
        post(.tokenRefused(token, waiter), to: process)
    }

    private func beginStepUp(of process: SimulatedProcess) {
        guard userIsFree, let session = process.machine.phase.session else { return }
        begin(.stepUp(SimulatedStepUp(begun: session.kept, answer: nil)), of: process, in: delay())
    }

    /// A user does one thing after the other; in one process, not even that.
    private var userIsFree: Bool {
        processes.count == 1
            || processes.allSatisfy { $0.attempts.isEmpty && $0.lane.isEmpty } && !jobs.contains { $0.isGuard }
    }

    private func beginSignIn(of process: SimulatedProcess) {
        guard userIsFree else { return }
        let attempt = nextID()
        process.attempts.insert(attempt)
        post(.signInBegan(attempt), to: process)
        begin(.signIn(attempt, dice.one(of: ["ada", "grace", "edith"])), of: process, in: delay())
    }

    private func signOut(of process: SimulatedProcess) {
        guard userIsFree else { return }
        post(.signOutRequested(SignOutOptions()), to: process)
    }

    private func crash(_ process: SimulatedProcess) {
        record("p\(process.number) is killed")
        let held = process.lane.compactMap { if case .reached(let holder) = $0 { holder } else { nil } }
        for holder in held + [process.refresh?.id].compactMap(\.self) { release(holder) }
        for job in jobs where job.process === process {
            if case .refresh(let refresh) = job.work { release(refresh.id) }
        }
        process.crash()
        hasCrashed = true
        if processes.count == 1 {
            // Whatever had not come into the store has never been.
            owner = store.kept.map { Owner(user: $0.user.subject, family: $0.family) }
        }
        post(.start, to: process)
    }

    private func operatorEnds() {
        guard let family = server.families.indices.last else { return }
        let code = dice.one(of: [AuthErrorCode.tokensRevoked, .userBanned, .userNotFound, .sessionExpired])
        record("the service ends family \(family): \(code.rawValue)")
        server.end(family, code)
    }

    private func damageStore() {
        guard let kept = store.kept else { return }
        record("the store is damaged")
        mayEnd.insert(kept.family)
        store.isDamaged = true
        store.hasFailed = true
    }
}
