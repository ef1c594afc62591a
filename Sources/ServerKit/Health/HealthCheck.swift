// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Something the server can't work without.
public final class HealthCheck: Sendable {
    public let name: String
    private let timeout: TimeSpan
    private let interval: TimeSpan
    private let clock: @Sendable () -> Instant
    private let run: @Sendable () async throws -> Void
    private let state = Mutex(State())

    private struct State {
        /// The run under way. Probes join it, so that one that hangs is not asked again and again.
        var current: Task<Bool, Never>?
        /// What the last run that ended found, and when.
        var last: (passed: Bool, at: Instant)?
    }

    /// - Parameters:
    ///   - timeout: how long a probe waits for an answer; without one by then the check has failed.
    ///   - interval: for how long an answer is given again instead of asking anew: whoever probes can't make the server
    ///     work more than that.
    ///   - clock: what `interval` is measured by.
    ///   - run: throws where the thing does not work.
    public init(
        _ name: String, timeout: TimeSpan = .seconds(2), atMostEvery interval: TimeSpan = .zero,
        clock: @escaping @Sendable () -> Instant = { Instant(microseconds: 0) },
        run: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.timeout = timeout
        self.interval = interval
        self.clock = clock
        self.run = run
    }

    func passes() async -> Bool {
        let now = clock()
        // A clock that was set back makes no answer last.
        if let last = state.withLock({ $0.last }), last.at <= now, now - last.at < interval { return last.passed }
        let task = state.withLock { state in
            if let current = state.current { return current }
            let task = Task { [self] in
                let succeeded: Bool
                do {
                    try await run()
                    succeeded = true
                } catch {
                    succeeded = false
                }
                let end = clock()
                self.state.withLock { state in
                    state.current = nil
                    state.last = (succeeded, end)
                }
                return succeeded
            }
            state.current = task
            return task
        }
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        let waiting = Task { answer.yield(await task.value) }
        let timer = Task { [timeout] in
            try await Task.sleep(for: .microseconds(timeout.microseconds))
            answer.yield(false)
        }
        defer {
            waiting.cancel()
            timer.cancel()
        }
        return await answers.first { _ in true } ?? false
    }
}
