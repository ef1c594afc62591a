// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

@testable import ServerKit

/// Keeps what would have gone to standard error.
final class LogCapture: Sendable {
    private let written = Mutex("")

    var text: String { written.withLock { $0 } }
    /// Every line, the last one ended like the others.
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

    func requests(_ format: RequestLog.Format = .json(label: "test"), level: Logger.Level = .trace) -> RequestLog {
        RequestLog(format, level: level, writer: writer())
    }

    func writer(isTerminal: Bool = false) -> LogWriter {
        LogWriter(clock: { Instant(seconds: 1_700_000_000) }, isTerminal: isTerminal) { lines in
            self.written.withLock { $0 += String(decoding: lines, as: UTF8.self) }
        }
    }

    func json(_ level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { JSONLogHandler(label: $0, level: level, writer: self.writer()) }
    }

    func readable(isTerminal: Bool = false) -> Logger {
        Logger(label: "test") { _ in
            ReadableLogHandler(level: .trace, writer: self.writer(isTerminal: isTerminal))
        }
    }
}
