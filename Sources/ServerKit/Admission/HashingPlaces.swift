// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The requests that may be under way at once of those that have passwords hashed: as many as hashes are computed at
/// once or may wait.
///
/// A place is held from when a request has come whole to the end of its answer, and not from when its hash waits.
/// Otherwise all that come between would be let in for each place that becomes free, to be refused at many times the
/// cost.
public final class HashingPlaces: Sendable {
    private let count: Int
    private let taken = AtomicNumber()

    /// - Parameter count: at least one.
    public init(_ count: Int) {
        self.count = max(1, count)
    }

    /// Whether there was one.
    func take() -> Bool {
        if taken.add(1) <= count { return true }
        giveBack(1)
        return false
    }

    func giveBack(_ number: Int) { taken.add(-number) }

    var free: Int { max(0, count - taken.load()) }
}

/// The places that the requests of one connection hold.
///
/// The work for a client that goes away goes on, and keeps its place until it is done: whoever calls and hangs up takes
/// no more of the server than whoever waits.
final class HeldPlaces: Sendable {
    private struct State {
        var held = 0
        var isOver = false
    }

    private let places: HashingPlaces
    private let state = Mutex(State())

    init(_ places: HashingPlaces) {
        self.places = places
    }

    /// Whether there was one.
    func take() -> Bool {
        guard places.take() else { return false }
        let isOver = state.withLock { state in
            if !state.isOver { state.held += 1 }
            return state.isOver
        }
        if isOver { places.giveBack(1) }
        return true
    }

    func giveBack() {
        let isHeld = state.withLock { state in
            guard state.held > 0 else { return false }
            state.held -= 1
            return true
        }
        if isHeld { places.giveBack(1) }
    }

    /// Nothing is done for this connection any more.
    func end() {
        let held = state.withLock { state in
            defer { state = State(held: 0, isOver: true) }
            return state.held
        }
        if held > 0 { places.giveBack(held) }
    }
}
