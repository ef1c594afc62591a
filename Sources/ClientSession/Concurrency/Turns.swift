// SPDX-License-Identifier: Apache-2.0

/// A lock that is awaited: one task has it at a time, in the order of asking. Who is cancelled while waiting leaves.
package final class Turns: Sendable {
    private struct Line: Sendable {
        var isTaken = false
        var nextID = 0
        var waiting: [(id: Int, resume: CheckedContinuation<Bool, Never>)] = []
        /// Cancelled before they stood in line.
        var left: Set<Int> = []
    }

    private let line = Guarded(Line())

    package init() {}

    /// How many wait.
    package var waiting: Int { line.withLock { $0.waiting.count } }

    /// Runs `body` while nobody else runs theirs.
    ///
    /// - Throws: what `body` throws, or `CancellationError` where the task was cancelled before its turn.
    package func take<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard await begin() else { throw CancellationError() }
        defer { end() }
        return try await body()
    }

    private func begin() async -> Bool {
        let id = line.withLock { line in
            line.nextID += 1
            return line.nextID
        }
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = line.withLock { line -> Bool? in
                    if line.left.contains(id) { return false }
                    guard line.isTaken else {
                        line.isTaken = true
                        return true
                    }
                    line.waiting.append((id, continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let waiter = line.withLock { line -> CheckedContinuation<Bool, Never>? in
                guard let index = line.waiting.firstIndex(where: { $0.id == id }) else {
                    line.left.insert(id)
                    return nil
                }
                return line.waiting.remove(at: index).resume
            }
            waiter?.resume(returning: false)
        }
        line.withLock { _ = $0.left.remove(id) }
        return isMine
    }

    /// Hands over to whoever waits longest, without letting go in between.
    private func end() {
        let next = line.withLock { line -> CheckedContinuation<Bool, Never>? in
            guard !line.waiting.isEmpty else {
                line.isTaken = false
                return nil
            }
            return line.waiting.removeFirst().resume
        }
        next?.resume(returning: true)
    }
}
