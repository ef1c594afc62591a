// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Standard input, with a bound on what is held of it.
enum StandardInput {
    enum Line: Equatable {
        case whole([UInt8])
        /// More bytes than the limit. They were passed over, not kept.
        case tooLong
    }

    /// Its lines, one after the other.
    static func lines(limit: Int) -> Lines { Lines(limit: limit, reading: next) }

    /// Calls `body` with each line, without its newline. A last line without one counts, nothing after a last newline
    /// does not.
    static func forEachLine(limit: Int, _ body: (Line) throws -> Void) throws {
        var lines = lines(limit: limit)
        while let line = try lines.next() { try body(line) }
    }

    /// All of it.
    ///
    /// - Returns: `nil` for more octets than the limit.
    static func contents(limit: Int) throws -> Data? {
        var contents = Data()
        while true {
            let chunk = try next()
            guard !chunk.isEmpty else { return contents }
            guard chunk.count <= limit - contents.count else { return nil }
            contents.append(chunk)
        }
    }

    /// The next bytes as soon as there are some, as when a line is typed at a terminal; none at the end. `FileHandle`
    /// waits until there are as many as it was asked for, or no more.
    private static func next() throws -> Data {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if count >= 0 { return Data(bytes.prefix(count)) }
            guard errno == EINTR else {
                throw CommandFailure("standard input: \(String(cString: strerror(errno)))", .badData)
            }
        }
    }

    /// Cuts lines out of what comes in pieces.
    struct Lines {
        private static let newline = Data("\n".utf8)

        private let limit: Int
        private let reading: () throws -> Data
        private var rest = Data()
        private var isAtEnd = false

        /// - Parameter reading: gives the next bytes; none at the end.
        init(limit: Int, reading: @escaping () throws -> Data) {
            self.limit = limit
            self.reading = reading
        }

        /// The next line, without its newline.
        mutating func next() throws -> Line? {
            var held: [UInt8] = []
            var (isBegun, isTooLong) = (false, false)
            while try fill() {
                let end = rest.range(of: Self.newline)?.lowerBound
                let part = rest[..<(end ?? rest.endIndex)]
                isTooLong = isTooLong || part.count > limit - held.count
                if isTooLong { held = [] } else { held.append(contentsOf: part) }
                isBegun = true
                rest = end.map { rest[($0 + 1)...] } ?? Data()
                if end != nil { break }
            }
            return isBegun ? isTooLong ? .tooLong : .whole(held) : nil
        }

        /// Whether there is more.
        private mutating func fill() throws -> Bool {
            if rest.isEmpty, !isAtEnd {
                rest = try reading()
                isAtEnd = rest.isEmpty
            }
            return !rest.isEmpty
        }
    }
}
