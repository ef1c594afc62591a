// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Synchronization

/// Writes log lines to standard error, each whole.
public final class LogWriter: Sendable {
    private let lock = Mutex(())
    private let output: @Sendable (String) -> Void
    let clock: @Sendable () -> Instant
    /// Whether a person reads it in a terminal.
    let isTerminal: Bool

    public convenience init(clock: @escaping @Sendable () -> Instant) {
        self.init(clock: clock, isTerminal: isatty(STDERR_FILENO) == 1) { line in
            // A log that can't be written is no reason to stop serving.
            try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
        }
    }

    init(clock: @escaping @Sendable () -> Instant, isTerminal: Bool, output: @escaping @Sendable (String) -> Void) {
        self.clock = clock
        self.isTerminal = isTerminal
        self.output = output
    }

    func write(_ line: String) {
        lock.withLock { _ in output(line + "\n") }
    }
}
