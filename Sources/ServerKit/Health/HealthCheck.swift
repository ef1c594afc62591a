// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Synchronization

/// Something the server can't work without.
public final class HealthCheck: Sendable {
    public let name: String
    private let timeout: Span
    private let run: @Sendable () async throws -> Void
    /// The run under way. Probes join it, so that one that hangs is not asked again and again.
    private let current = Mutex<Task<Bool, Never>?>(nil)

    /// - Parameters:
    ///   - timeout: how long a probe waits for an answer; without one by then the check has failed.
    ///   - run: throws where the thing does not work.
    public init(_ name: String, timeout: Span = .seconds(2), run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.timeout = timeout
        self.run = run
    }

    func passes() async -> Bool {
        let task = current.withLock { current in
            if let current { return current }
            let task = Task { [self] in
                let succeeded: Bool
                do {
                    try await run()
                    succeeded = true
                } catch {
                    succeeded = false
                }
                self.current.withLock { $0 = nil }
                return succeeded
            }
            current = task
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
