// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

/// A process of the app: a machine, and what it asked for, done one after the other as its shell does.
final class SimulatedProcess {
    enum Task {
        case action(SessionAction)
        /// Everything before has been done: whoever held the store's lock for that lets go of it.
        case reached(Int)
    }

    let number: Int
    /// Grows with each crash: what belongs to the one before is gone.
    var life = 0
    var machine = SessionMachine(backend: "simulated")
    var lane: [Task] = []
    /// The store is slow until then.
    var laneReady = TimeSpan.zero
    var timer: TimeSpan?
    /// Who waits for a token, and whose session it was that they asked in.
    var waiters: [WaiterID: String?] = [:]
    var attempts: Set<AttemptID> = []
    /// The sign-in that counts, by what a user would say.
    var latest: AttemptID?
    var refresh: SimulatedRefresh?
    /// The generation whose session a refresh saw in the store when its answer had come.
    var seen: Int?
    /// Sessions that ended here, which may not come again.
    var ended: Set<String> = []
    /// When the service was asked without anybody's having wanted something.
    var requests: [TimeSpan] = []

    init(_ number: Int) { self.number = number }

    /// Everything in memory is gone.
    func crash() {
        life += 1
        machine = SessionMachine(backend: "simulated")
        (lane, laneReady, timer, waiters, attempts) = ([], .zero, nil, [:], [])
        (latest, refresh, seen, ended, requests) = (nil, nil, nil, [], [])
    }

    /// Nothing is under way that somebody waits for.
    var isAtRest: Bool {
        guard lane.isEmpty, machine.unerased == nil, machine.writing == nil, machine.reading == nil else {
            return false
        }
        switch machine.phase {
        case .signedOut, .awaiting: return true
        case .signedIn(let signedIn): return signedIn.session.unwritten == nil
        case .restoring, .storeLocked, .storing, .refreshing, .offline: return false
        }
    }
}
