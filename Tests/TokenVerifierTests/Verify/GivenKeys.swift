// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import TokenVerifier

/// A source whose keys the test sets, and which counts what it is asked for.
final class GivenSource: KeySource {
    private struct State {
        var keys: VerificationKeySet?
        var generation: UInt64 = 0
        var requests: [KeyNeed] = []
        /// What the next request brings.
        var arriving: VerificationKeySet?
    }

    private let state = Mutex(State())
    let retryAfter: TimeSpan?

    init(_ keys: VerificationKeySet?, arriving: VerificationKeySet? = nil, retryAfter: TimeSpan? = nil) {
        self.retryAfter = retryAfter
        state.withLock {
            $0.keys = keys
            $0.arriving = arriving
        }
    }

    var keys: VerificationKeySet? { state.withLock { $0.keys } }
    var generation: UInt64 { state.withLock { $0.generation } }
    var requests: [KeyNeed] { state.withLock { $0.requests } }

    func request(_ need: KeyNeed) async {
        state.withLock {
            $0.requests.append(need)
            if let arriving = $0.arriving { $0.keys = arriving }
        }
    }

    func replace(with keys: VerificationKeySet?) {
        state.withLock {
            $0.keys = keys
            $0.generation += 1
        }
    }
}

/// One source a location; a location that nobody gave has none, and records that it was asked for.
final class GivenKeys: KeyProviding {
    private let sources: [KeyLocation: GivenSource]
    private let asked = Mutex<Set<KeyLocation>>([])

    init(_ sources: [KeyLocation: GivenSource]) {
        self.sources = sources
    }

    var locations: Set<KeyLocation> { asked.withLock { $0 } }

    func source(for location: KeyLocation) -> any KeySource {
        asked.withLock { _ = $0.insert(location) }
        return sources[location] ?? GivenSource(nil)
    }
}

final class TestClock: Sendable {
    private let time: Mutex<Instant>

    init(_ now: Instant = TokenDraft.now) {
        time = Mutex(now)
    }

    var now: Instant { time.withLock { $0 } }
    func set(_ now: Instant) { time.withLock { $0 = now } }
}
