// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Logging

/// Where the access log's lines go, in the form of all others: they stand among them, as ``JSONLogHandler`` and
/// ``ReadableLogHandler`` would write them.
///
/// There is one for each request, and its members are always the same. So they take the short way: no dictionary, no
/// look at names that are known to be no secrets', and each octet is written once, where it waits to be sent.
public struct RequestLog: Sendable {
    public enum Format: Sendable {
        /// - Parameter label: what the lines have as their `logger`.
        case json(label: String)
        case readable
    }

    /// What is said of one request, in the server's own words. Nothing that a client chose is in it.
    struct Line {
        var method: String
        /// The template, and never the path.
        var route: String
        var status: Int
        /// The client's address, truncated.
        var client: String
        /// What the answer has as `X-Request-Id`.
        var request: String
        var microseconds: Int64
    }

    private static let level = Logger.Level.info

    private let format: Format
    private let writer: LogWriter
    private let isOn: Bool

    /// - Parameter level: below which nothing is written; a request's line is of the level `info`.
    public init(_ format: Format, level: Logger.Level, writer: LogWriter) {
        self.format = format
        self.writer = writer
        isOn = level <= Self.level
    }

    /// - Parameter line: is made only where it is written.
    func write(_ line: @autoclosure () -> Line) {
        guard isOn else { return }
        let line = line()
        let time = writer.clock()
        writer.write { lines, written in
            switch format {
            case .json(let label): Self.append(line, label, at: time, to: &lines, &written)
            case .readable: Self.append(line, at: time, to: &lines, &written)
            }
        }
    }

    private static func append(
        _ line: Line, _ label: String, at time: Instant, to lines: inout [UInt8], _ written: inout LogTime
    ) {
        lines.append(contentsOf: #"{"time":""#.utf8)
        written.append(time, to: &lines)
        lines.append(contentsOf: #"","level":"info","message":"request","logger":"#.utf8)
        appendQuoted(label, to: &lines)
        lines.append(contentsOf: #","client":"#.utf8)
        appendQuoted(line.client, to: &lines)
        lines.append(contentsOf: #","method":"#.utf8)
        appendQuoted(line.method, to: &lines)
        lines.append(contentsOf: #","microseconds":""#.utf8)
        lines.append(contentsOf: String(line.microseconds).utf8)
        lines.append(contentsOf: #"","request":"#.utf8)
        appendQuoted(line.request, to: &lines)
        lines.append(contentsOf: #","route":"#.utf8)
        appendQuoted(line.route, to: &lines)
        lines.append(contentsOf: #","status":""#.utf8)
        lines.append(contentsOf: String(line.status).utf8)
        lines.append(contentsOf: "\"}".utf8)
    }

    private static func append(
        _ line: Line, at time: Instant, to lines: inout [UInt8], _ written: inout LogTime
    ) {
        written.appendTimeOfDay(time, to: &lines)
        lines.append(contentsOf: " info request client=".utf8)
        lines.append(contentsOf: ReadableLogHandler.oneLine(line.client).utf8)
        lines.append(contentsOf: " method=".utf8)
        lines.append(contentsOf: ReadableLogHandler.oneLine(line.method).utf8)
        lines.append(contentsOf: " microseconds=".utf8)
        lines.append(contentsOf: String(line.microseconds).utf8)
        lines.append(contentsOf: " request=".utf8)
        lines.append(contentsOf: ReadableLogHandler.oneLine(line.request).utf8)
        lines.append(contentsOf: " route=".utf8)
        lines.append(contentsOf: ReadableLogHandler.oneLine(line.route).utf8)
        lines.append(contentsOf: " status=".utf8)
        lines.append(contentsOf: String(line.status).utf8)
    }

    /// What has nothing to escape, as our own words have not, is copied.
    private static func appendQuoted(_ text: String, to lines: inout [UInt8]) {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) else {
            lines.append(contentsOf: JSONValue.string(text).serialized())
            return
        }
        lines.append(0x22)
        lines.append(contentsOf: text.utf8)
        lines.append(0x22)
    }
}
