// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What nobody calls, one duty after the other: one that fails keeps none of the others from being done.
public struct Upkeep: Sendable {
    public struct Duty: Sendable {
        /// What a log and a metric call it.
        public let name: String
        /// Does what is due, and says how much that was.
        public let perform: @Sendable (Instant) async throws -> Int

        public init(_ name: String, perform: @escaping @Sendable (Instant) async throws -> Int) {
            self.name = name
            self.perform = perform
        }
    }

    /// What came of one duty.
    public struct Outcome: Sendable {
        public let duty: String
        /// How much was done, or why it was not.
        public let result: Result<Int, any Error>
    }

    private let duties: [Duty]

    /// - Parameter duties: in the order in which they are done.
    public init(_ duties: [Duty]) {
        self.duties = duties
    }

    /// Does each once.
    ///
    /// - Parameter clock: read anew for each: the one before may have taken long.
    /// - Throws: `CancellationError` when the task was cancelled, and for nothing else.
    public func pass(by clock: @Sendable () -> Instant) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for duty in duties {
            try Task.checkCancellation()
            do {
                outcomes.append(Outcome(duty: duty.name, result: .success(try await duty.perform(clock()))))
            } catch {
                try Task.checkCancellation()
                outcomes.append(Outcome(duty: duty.name, result: .failure(error)))
            }
        }
        return outcomes
    }
}
