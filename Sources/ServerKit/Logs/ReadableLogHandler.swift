// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

/// A line to read while developing, with colour in a terminal.
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
        for (key, value) in LogRedaction.members(metadata, event) {
            line += " \(Self.oneLine(key))=" + Self.oneLine(value.stringValue ?? value.text)
        }
        if writer.isTerminal, event.level >= .warning { line = "\u{1B}[33m" + line + "\u{1B}[0m" }
        writer.write(line.utf8, isUrgent: event.level >= .notice)
    }

    /// Without what moves a terminal's cursor, starts a line or turns text around.
    static func oneLine(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
