// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Gives each step of a task a thread. A test that waits for a process blocks the one that it is on, and where there are two
/// processors, two such tests would leave none to whatever else this process has begun, a store's lock in its hands.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
