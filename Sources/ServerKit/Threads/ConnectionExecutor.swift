// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Runs a connection's task on the thread that carries the connection, so that a request which needs no other is read,
/// answered and written without any thread waking another (ADR 0033).
final class ConnectionExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Never at once, also where this is the thread: whoever goes on with a task is in the midst of something.
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
