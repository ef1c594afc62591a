// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Standard input, line by line, with a bound on what is held of one.
enum StandardInput {
    enum Line: Equatable {
        case whole([UInt8])
        /// More bytes than the limit. They were passed over, not kept.
        case tooLong
    }

    /// Calls `body` with each line, without its newline. A last line without one counts, nothing after a last newline
    /// does not.
    static func forEachLine(limit: Int, _ body: (Line) throws -> Void) throws {
        try forEachLine(
            limit: limit, reading: { try FileHandle.standardInput.read(upToCount: 64 << 10) ?? Data() }, body)
    }

    /// - Parameter reading: gives the next bytes; none at the end.
    static func forEachLine(limit: Int, reading: () throws -> Data, _ body: (Line) throws -> Void) throws {
        var held: [UInt8] = []
        var isTooLong = false
        var isOpen = false
        while true {
            var chunk = try reading()
            guard !chunk.isEmpty else { break }
            while !chunk.isEmpty {
                let end = chunk.range(of: newline)?.lowerBound
                let part = chunk[..<(end ?? chunk.endIndex)]
                isTooLong = isTooLong || part.count > limit - held.count
                if !isTooLong { held.append(contentsOf: part) }
                isOpen = end == nil
                guard let end else { break }
                try body(isTooLong ? .tooLong : .whole(held))
                held.removeAll(keepingCapacity: true)
                isTooLong = false
                chunk = chunk[(end + 1)...]
            }
        }
        if isOpen { try body(isTooLong ? .tooLong : .whole(held)) }
    }

    private static let newline = Data("\n".utf8)
}
