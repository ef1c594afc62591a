// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport

@testable import ClientSession

/// A history of one device: one process or two on one store, a service, a network, a clock that somebody sets, and a
/// user, who all do what the dice say. The same seed is the same history.
final class SessionSimulation {
    /// A fault put in on purpose, which has to be found.
    enum Sabotage: CaseIterable {
        /// With the shell's own care for late answers gone too, which would hide it.
        case ignoresGenerations
        case forgetsWaiters
        case takesFaultsForRefusals
        case ignoresLock
        case storesForAnother
        case raisesWhoeverIsThere
    }

    enum Weather: CaseIterable { case fine, lossy, slow, limited, faulty, captive, down }

    struct Owner: Equatable {
        var user: String
        var family: String
    }

    let seed: UInt64
    let sabotage: Sabotage?
    let isRecording: Bool
    var dice: Dice
    var time = TimeSpan.seconds(1000)
    /// How wrong the device's clock is.
    var skew = TimeSpan.zero
    var weather = Weather.fine
    var server = SimulatedServer()
    var store = SimulatedStore()
    var processes: [SimulatedProcess]
    var jobs: [SimulatedJob] = []
    var counter = 0
    /// Who signed in last on this device.
    var owner: Owner?
    /// The sessions by their name on the device, and what they are to the service.
    var sessions: [String: Int] = [:]
    /// Those that may end without a word of the service.
    var mayEnd: Set<String> = []
    var hasCrashed = false
    var steps = 0
    var violation: String?
    var history: [String] = []

    init(seed: UInt64, sabotage: Sabotage? = nil, isRecording: Bool = false) {
        self.seed = seed
        self.sabotage = sabotage
        self.isRecording = isRecording
        dice = Dice(seed: seed)
        processes = []
        for number in 0..<(dice.happens(50) ? 1 : 2) { processes.append(SimulatedProcess(number)) }
    }

    var serverNow: Instant { Instant(seconds: 1_785_283_200) + time }
    var now: Instant { serverNow + skew }

    /// - Returns: what should not have been.
    func run() -> String? {
        for process in processes { post(.start, to: process) }
        for _ in 0..<(20 + dice.below(60)) where violation == nil {
            if dice.happens(60), runSomething() { continue }
            happen()
        }
        if violation == nil { drain() }
        return violation
    }

    func record(_ line: @autoclosure () -> String) {
        if isRecording { history.append("\(steps) +\(time.microseconds / 1_000_000)s \(line())") }
    }

    func fail(_ text: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = text()
        record("VIOLATED: \(text())")
    }

    func nextID() -> Int {
        counter += 1
        return counter
    }

    func begin(_ work: SimulatedJob.Work, of process: SimulatedProcess, in span: TimeSpan = .zero) {
        jobs.append(SimulatedJob(process: process, life: process.life, ready: time + span, work: work))
    }

    // MARK: The order of things

    /// Does one of what could be next, whichever.
    func runSomething() -> Bool {
        jobs.removeAll { $0.life != $0.process.life || $0.isOver }
        let lanes = processes.filter { !$0.lane.isEmpty && $0.laneReady <= time }
        let ready = jobs.indices.filter { index in
            let job = jobs[index]
            return job.ready <= time && (store.holder == nil || !job.needsLock || sabotage == .ignoresLock)
        }
        guard lanes.count + ready.count > 0 else { return false }
        steps += 1
        let choice = dice.below(lanes.count + ready.count)
        if choice < lanes.count {
            carryOut(next: lanes[choice])
        } else {
            let job = jobs.remove(at: ready[choice - lanes.count])
            work(job)
        }
        return true
    }

    func pass(_ span: TimeSpan) {
        time = time + span
        for process in processes {
            guard let timer = process.timer, timer <= time else { continue }
            process.timer = nil
            post(.clockTick, to: process)
        }
    }

    func post(_ event: SessionEvent, to process: SimulatedProcess) {
        let event = sabotaged(event, of: process)
        steps += 1
        let before = process.machine.phase.session
        note(event, of: process)
        let moment = Moment(now: now, uptime: time, dice: UInt32(truncatingIfNeeded: dice.next()))
        let actions = process.machine.handle(event, at: moment)
        record("p\(process.number) \(event.brief) → \(process.machine.phase.name) \(actions.map(\.name))")
        process.lane += actions.map { .action($0) }
        check(event, actions, before, of: process)
    }
}

extension SessionEvent {
    var brief: String {
        switch self {
        case .storeRead(_, .session(let kept, _)): "storeRead(\(kept.family) r\(kept.revision))"
        case .signInSucceeded(let id, let grant, let family):
            "signInSucceeded(\(id), \(grant.user?.subject ?? ""), \(family))"
        case .refreshSucceeded(let generation, let grant):
            "refreshSucceeded(\(generation), \(grant.tokens.accessToken.reveal()))"
        case .refreshFailed(let generation, let error): "refreshFailed(\(generation), \(error.code.rawValue))"
        case .refreshFoundOther(let generation, let kept, _):
            "refreshFoundOther(\(generation), \(kept.family) r\(kept.revision))"
        default: String("\(self)".prefix(60))
        }
    }
}
