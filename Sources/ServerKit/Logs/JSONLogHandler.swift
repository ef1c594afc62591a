// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

/// One JSON object a line: `time` (RFC 3339, UTC), `level`, `message`, `logger`, and the metadata. Whatever is in a
/// value, it stays in its string: a line break can't start a line of its own. Metadata named like one of the four is
/// written with a `_` behind its name.
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
        for (key, value) in LogRedaction.members(metadata, event) {
            line[Self.ownNames.contains(key) ? key + "_" : key] = value
        }
        writer.write(line.serialized(), isUrgent: event.level >= .notice)
    }

    private static let ownNames: Set<String> = ["time", "level", "message", "logger"]
}
