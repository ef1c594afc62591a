// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

/// Keeps what would have been logged, metadata and all.
final class LogLines: Sendable {
    private let written = Mutex<[(level: Logger.Level, text: String)]>([])

    var lines: [(level: Logger.Level, text: String)] { written.withLock { $0 } }
    var text: String { lines.map(\.text).joined(separator: "\n") }
    var warnings: [String] { lines.filter { $0.level == .warning }.map(\.text) }

    var logger: Logger {
        Logger(label: "test") { _ in Handler(lines: self) }
    }

    private func write(_ level: Logger.Level, _ text: String) {
        written.withLock { $0.append((level, text)) }
    }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            lines.write(event.level, "\(event.message) \(all)")
        }
    }
}
