// SPDX-License-Identifier: Apache-2.0

/// Says when it is worth looking whether another process has changed what this one keeps copies of. It may say so for
/// nothing, and it never says what: that is in the store (``AccountModel/ChangeReading/changeCounts()``).
package protocol ChangeSignals: Sendable {
    /// An element soon after each commit that changed something, where the database says so, and one at every interval
    /// in any case. Those that nobody took meanwhile are one. Ends with ``close()``. For one consumer.
    var signals: AsyncStream<Void> { get }

    func close()
}

/// Those of a database that says nothing: one at every interval.
package struct IntervalSignals: ChangeSignals {
    package let signals: AsyncStream<Void>
    private let task: Task<Void, Never>

    package init(every interval: Duration) {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        task = Task {
            while !Task.isCancelled {
                continuation.yield()
                try? await Task.sleep(for: interval)
            }
            continuation.finish()
        }
    }

    package func close() { task.cancel() }
}
