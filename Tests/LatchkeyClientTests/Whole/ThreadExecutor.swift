// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives each step of a task a thread. A test that waits for a process blocks the one that it is on, and where there
/// are two processors, two such tests would leave none to whatever else this process has begun, a store's lock in its
/// hands.
@available(macOS 15, *)
private final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension TaskGroup {
    /// Adds a task that may block the threads that it is on, where the system can give it some of its own.
    mutating func addBlockingTask(_ operation: @escaping @Sendable @concurrent () async -> ChildTaskResult) {
        if #available(macOS 15, *) {
            addTask(executorPreference: ThreadExecutor(), operation: operation)
        } else {
            addTask(operation: operation)
        }
    }
}
