// SPDX-License-Identifier: Apache-2.0

/// A pattern over text in which `.` and `/` separate. Matching takes time in proportion to the pattern's length times
/// the text's, whatever the pattern: every place in the pattern that could be reached is followed at once.
struct Glob: Sendable {
    private enum Part: Sendable {
        case byte(UInt8)
        /// Any one byte that does not separate.
        case any
        case set(Set<UInt8>, isNegated: Bool)
        /// `*`: any number of bytes that do not separate.
        case run
        /// `**`: any number of bytes.
        case anything
    }

    /// The patterns that `{a,b}` stands for, written out.
    private let alternatives: [[Part]]
    private static let maximumAlternatives = 64

    /// `nil` for an unclosed set or group, a trailing backslash, or too many alternatives.
    init?(_ text: some StringProtocol) {
        guard let expanded = Self.expand(Array(text.utf8)) else { return nil }
        var alternatives: [[Part]] = []
        for pattern in expanded {
            guard let parts = Self.parse(pattern) else { return nil }
            alternatives.append(parts)
        }
        self.alternatives = alternatives
    }

    func matches(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return alternatives.contains { Self.matches($0, bytes) }
    }

    private static func matches(_ parts: [Part], _ text: [UInt8]) -> Bool {
        var reached = closure(of: [0], in: parts)
        for byte in text {
            var next: Set<Int> = []
            for position in reached where position < parts.count {
                switch parts[position] {
                case .byte(let expected): if byte == expected { next.insert(position + 1) }
                case .any: if !isSeparator(byte) { next.insert(position + 1) }
                case .set(let members, let isNegated):
                    if members.contains(byte) != isNegated, !isSeparator(byte) { next.insert(position + 1) }
                case .run: if !isSeparator(byte) { next.insert(position) }
                case .anything: next.insert(position)
                }
            }
            reached = closure(of: next, in: parts)
            if reached.isEmpty { return false }
        }
        return reached.contains(parts.count)
    }

    /// Adds the places reached by letting `*` and `**` stand for nothing.
    private static func closure(of positions: Set<Int>, in parts: [Part]) -> Set<Int> {
        var all = positions
        for start in positions {
            var position = start
            skipping: while position < parts.count {
                switch parts[position] {
                case .run, .anything: position += 1
                default: break skipping
                }
                all.insert(position)
            }
        }
        return all
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/") }

    private static func parse(_ pattern: [UInt8]) -> [Part]? {
        var parts: [Part] = []
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                if rest.first == UInt8(ascii: "*") {
                    rest = rest.drop { $0 == UInt8(ascii: "*") }
                    parts.append(.anything)
                } else {
                    parts.append(.run)
                }
            case UInt8(ascii: "?"): parts.append(.any)
            case UInt8(ascii: "["):
                guard let set = set(&rest) else { return nil }
                parts.append(set)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                parts.append(.byte(escaped))
            default: parts.append(.byte(byte))
            }
        }
        return parts
    }

    private static func set(_ rest: inout ArraySlice<UInt8>) -> Part? {
        guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        var content = rest[..<close]
        rest = rest[(close + 1)...]
        let isNegated = content.first == UInt8(ascii: "!")
        if isNegated { content.removeFirst() }
        guard !content.isEmpty else { return nil }
        var members: Set<UInt8> = []
        while let low = content.popFirst() {
            if content.first == UInt8(ascii: "-"), content.count >= 2, let high = content.dropFirst().first {
                guard low <= high else { return nil }
                members.formUnion(low...high)
                content = content.dropFirst(2)
            } else {
                members.insert(low)
            }
        }
        return .set(members, isNegated: isNegated)
    }

    /// Writes out `{a,b}`, which does not nest.
    private static func expand(_ pattern: [UInt8]) -> [[UInt8]]? {
        var expanded: [[UInt8]] = [[]]
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                for place in expanded.indices { expanded[place] += [byte, escaped] }
            case UInt8(ascii: "{"):
                guard let close = rest.firstIndex(of: UInt8(ascii: "}")) else { return nil }
                let choices = rest[..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
                guard !rest[..<close].contains(UInt8(ascii: "{")),
                    expanded.count * choices.count <= maximumAlternatives
                else { return nil }
                expanded = expanded.flatMap { prefix in choices.map { prefix + $0 } }
                rest = rest[(close + 1)...]
            case UInt8(ascii: "}"): return nil
            default: for place in expanded.indices { expanded[place].append(byte) }
            }
        }
        return expanded
    }
}
