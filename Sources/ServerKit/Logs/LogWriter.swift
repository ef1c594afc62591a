// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// Writes log lines to standard error, each whole and in the order in which they came.
///
/// Lines that come while others are being written wait in memory and are written together by whoever came first of
/// them: under load a line costs a copy, and not a call to the system.
public final class LogWriter: Sendable {
    /// Lines that wait may be so long together: then who adds one waits too, as for a terminal that is slow.
    private static let mostWaiting = 1 << 20

    /// A buffer that was written is used again, unless a burst has made it longer than this.
    private static let mostKept = 1 << 16

    private struct Waiting: Sendable {
        var lines: [UInt8] = []
        var time = LogTime()
    }

    private let waiting = Mutex(Waiting())
    /// Who writes; and between two writings an empty buffer, which takes the place of that with the lines.
    private let writing = Mutex<[UInt8]>([])
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
    ///   - isUrgent: it is written when this returns, as what is said before a program ends must be. Another may still
    ///     be about to be written, by another thread.
    func write(_ line: some Sequence<UInt8>, isUrgent: Bool) {
        write(isUrgent: isUrgent) { lines, _ in lines.append(contentsOf: line) }
    }

    /// As ``write(_:isUrgent:)``, for a line that is made where it waits.
    ///
    /// - Parameter append: adds the line, without its end and without a line break, and nothing that takes long: others
    ///   wait meanwhile.
    func write(isUrgent: Bool = false, _ append: (inout [UInt8], inout LogTime) -> Void) {
        let isOurs = waiting.withLock { waiting in
            let isFirst = waiting.lines.isEmpty
            append(&waiting.lines, &waiting.time)
            waiting.lines.append(UInt8(ascii: "\n"))
            return isFirst || isUrgent || waiting.lines.count > Self.mostWaiting
        }
        // Whoever finds lines waiting knows that the first of them has a writer on its way.
        guard isOurs else { return }
        writing.withLock { buffer in
            waiting.withLock { swap(&$0.lines, &buffer) }
            if !buffer.isEmpty { output(buffer) }
            if buffer.capacity > Self.mostKept { buffer = [] } else { buffer.removeAll(keepingCapacity: true) }
        }
    }

    /// Whether a line has come that nobody has begun to write.
    var hasLinesWaiting: Bool { waiting.withLock { !$0.lines.isEmpty } }

    /// A log that can't be written is no reason to stop serving: what the system does not take is left out.
    private static let toStandardError: @Sendable ([UInt8]) -> Void = { lines in
        var rest = lines
        while !rest.isEmpty {
            let written = Foundation.write(STDERR_FILENO, rest, rest.count)
            guard written > 0 || errno == EINTR else { return }
            // Mostly all of it: then nothing is copied.
            guard written < rest.count else { return }
            rest.removeFirst(max(0, written))
        }
    }
}
