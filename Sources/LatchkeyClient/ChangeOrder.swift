// SPDX-License-Identifier: Apache-2.0

/// Runs one change after the other, in the order in which they came, each to its end.
actor ChangeOrder {
    private var last: Task<Void, Never>?

    func run<Outcome: Sendable>(_ change: @escaping @Sendable () async -> Outcome) async -> Outcome {
        let before = last
        let task = Task {
            await before?.value
            return await change()
        }
        last = Task { _ = await task.value }
        return await task.value
    }
}
