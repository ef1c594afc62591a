// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Synchronization

/// Writes log lines to standard error, each whole and in the order in which they came.
///
/// Lines that come while others are being written wait in memory and are written together by whoever came first of
/// them: under load a line costs a copy, and not a call to the system.
public final class LogWriter: Sendable {
    /// Lines that wait may be so long together: then who adds one waits too, as for a terminal that is slow.
    private static let mostWaiting = 1 << 20

    private let waiting = Mutex<[UInt8]>([])
    private let writing = Mutex(())
    private let output: @Sendable ([UInt8]) -> Void
    let clock: @Sendable () -> Instant
    /// Whether a person reads it in a terminal.
    let isTerminal: Bool

    public convenience init(clock: @escaping @Sendable () -> Instant) {
        self.init(clock: clock, isTerminal: isatty(STDERR_FILENO) == 1, output: Self.toStandardError)
    }

    /// - Parameter output: is given one line or several, each with its end; never called twice at once.
    init(clock: @escaping @Sendable () -> Instant, isTerminal: Bool, output: @escaping @Sendable ([UInt8]) -> Void) {
        self.clock = clock
        self.isTerminal = isTerminal
        self.output = output
    }

    /// - Parameters:
    ///   - line: without its end, and without a line break.
    ///   - isUrgent: it is written when this returns, as what is said before a program ends must be. Another may still be
    ///     about to be written, by another thread.
    func write(_ line: some Sequence<UInt8>, isUrgent: Bool) {
        let isOurs = waiting.withLock { waiting in
            let isFirst = waiting.isEmpty
            waiting.append(contentsOf: line)
            waiting.append(UInt8(ascii: "\n"))
            return isFirst || isUrgent || waiting.count > Self.mostWaiting
        }
        // Whoever finds lines waiting knows that the first of them has a writer on its way.
        guard isOurs else { return }
        writing.withLock { _ in
            let lines = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            if !lines.isEmpty { output(lines) }
        }
    }

    /// Whether a line has come that nobody has begun to write.
    var hasLinesWaiting: Bool { waiting.withLock { !$0.isEmpty } }

    /// A log that can't be written is no reason to stop serving: what the system does not take is left out.
    private static let toStandardError: @Sendable ([UInt8]) -> Void = { lines in
        var rest = lines
        while !rest.isEmpty {
            let written = Foundation.write(STDERR_FILENO, rest, rest.count)
            guard written > 0 || errno == EINTR else { return }
            rest.removeFirst(max(0, written))
        }
    }
}
