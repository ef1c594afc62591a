// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import TokenVerifier

/// A key server in memory: a fetch ends when the test says how.
final class HeldFetcher: KeyFetching {
    typealias Outcome = Result<FetchedKeys, KeyFetchError>

    private struct State {
        var count = 0
        var inFlight: [KeyLocation: CheckedContinuation<Outcome, Never>] = [:]
    }

    private let state = Mutex(State())
    private let starts: AsyncStream<KeyLocation>
    private let announce: AsyncStream<KeyLocation>.Continuation

    init() { (starts, announce) = AsyncStream.makeStream() }

    /// Fetches begun so far.
    var count: Int { state.withLock(\.count) }

    func fetch(_ location: KeyLocation) async throws(KeyFetchError) -> FetchedKeys {
        let outcome = await withCheckedContinuation { continuation in
            state.withLock { state in
                state.count += 1
                state.inFlight[location] = continuation
            }
            announce.yield(location)
        }
        return try outcome.get()
    }

    /// Returns when the next fetch has begun.
    func begun() async -> KeyLocation? { await starts.first { _ in true } }

    func end(_ location: KeyLocation, _ outcome: Outcome) {
        state.withLock { $0.inFlight.removeValue(forKey: location) }?.resume(returning: outcome)
    }
}
