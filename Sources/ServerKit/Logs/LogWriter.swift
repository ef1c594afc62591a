// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Logging
import Synchronization

/// Writes log lines to standard error, each whole.
public final class LogWriter: Sendable {
    private let lock = Mutex(())
    let clock: @Sendable () -> Instant
    /// Whether a person reads it in a terminal.
    let isTerminal: Bool

    public init(clock: @escaping @Sendable () -> Instant) {
        self.clock = clock
        isTerminal = isatty(STDERR_FILENO) == 1
    }

    func write(_ line: String) {
        let data = Data((line + "\n").utf8)
        lock.withLock { _ in
            // A log that can't be written is no reason to stop serving.
            try? FileHandle.standardError.write(contentsOf: data)
        }
    }
}

/// One JSON object a line: `time` (RFC 3339, UTC), `level`, `message`, and the metadata. Whatever is in a value, it
/// stays in its string: a line break can't start a line of its own.
public struct JSONLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let label: String
    private let writer: LogWriter

    public init(label: String, level: Logger.Level, writer: LogWriter) {
        self.label = label
        logLevel = level
        self.writer = writer
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var line: JSONObject = [
            "time": .string(writer.clock().rfc3339), "level": .string(event.level.rawValue),
            "message": .string(event.message.description), "logger": .string(label),
        ]
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) {
            line[key] = LogRedaction.isSecret(key) ? "[redacted]" : .string("\(value)")
        }
        writer.write(JSONValue.object(line).text)
    }
}

/// A line to read while developing.
public struct ReadableLogHandler: LogHandler {
    public var metadata: Logger.Metadata = [:]
    public var logLevel: Logger.Level
    private let writer: LogWriter

    public init(level: Logger.Level, writer: LogWriter) {
        logLevel = level
        self.writer = writer
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let time = writer.clock().rfc3339.dropFirst(11).prefix(8)
        var line = "\(time) \(event.level.rawValue) \(Self.oneLine(event.message.description))"
        for (key, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) {
            line += " \(key)=" + (LogRedaction.isSecret(key) ? "[redacted]" : Self.oneLine("\(value)"))
        }
        if writer.isTerminal, event.level >= .warning { line = "\u{1B}[33m" + line + "\u{1B}[0m" }
        writer.write(line)
    }

    private static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}
