// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where the members of a JSON object are in its text: enough to read the few that a verifier needs without making a
/// value of all the others.
///
/// It reads plain texts only, those that issuers write: names and strings in ASCII without escapes, whole numbers, few
/// levels. Whatever is beyond it, right or wrong, it leaves to ``JSONObject/init(parsing:limits:)``: a text of which it
/// has an outline is one that would be read there, to the same members.
enum JSONOutline {
    /// A member: offsets into the text, `name` within its quotation marks, `value` with whatever encloses it.
    struct Member: Sendable {
        var nameStart: UInt16 = 0
        var nameEnd: UInt16 = 0
        var valueStart: UInt16 = 0
        var valueEnd: UInt16 = 0
        /// ``NameKey/head`` of the name.
        var head: UInt64 = 0

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
        /// Tells most names apart at once.
        var key: NameKey { NameKey(head: head, length: nameEnd &- nameStart) }
    }

    /// The first eight bytes of a name and its length: equal for equal names, and for none but equal names of eight
    /// bytes at most.
    struct NameKey: Sendable, Equatable {
        var head: UInt64 = 0
        let length: UInt16

        init(head: UInt64, length: UInt16) {
            self.head = head
            self.length = length
        }

        /// - Parameter range: within `bytes`.
        @inline(__always)
        init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
            length = UInt16(truncatingIfNeeded: range.count)
            if range.lowerBound &+ 8 <= bytes.count {
                let raw = UnsafeRawBufferPointer(bytes)
                let eight = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self))
                head = range.count >= 8 ? eight : eight & ((1 << (UInt64(range.count) &* 8)) &- 1)
            } else {
                for (place, byte) in bytes[range].prefix(8).enumerated() {
                    head |= UInt64(byte) << (UInt64(place) &* 8)
                }
            }
        }

        /// Whether equal keys are of equal names.
        var isWhole: Bool { length <= 8 }
        /// One bit of 64: where none of several names has a name's bit, it is none of them.
        var bit: UInt64 { 1 << (((head ^ UInt64(length)) &* 0x9E37_79B9_7F4A_7C15) >> 58) }
    }

    /// Calls `body` with the text and its members, both gone afterwards; `nil` for a text that this type leaves to
    /// another reader.
    static func withMembers<Value>(
        of text: [UInt8], depth: Int, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Member>) -> Value?
    ) -> Value? {
        guard text.count <= Self.longest else { return nil }
        return text.withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: Member.self, capacity: Self.mostOpen) { open in
                var scanner = Scanner(bytes: bytes, open: open)
                guard scanner.wholeText(depth: depth) else { return nil }
                return body(bytes, UnsafeBufferPointer(rebasing: open[..<scanner.top]))
            }
        }
    }

    /// An offset into the text fits 16 bits.
    private static let longest = 65_535
    /// Members of all the objects that are open at one place of the text. As many as one KiB holds: beyond it, room
    /// for them would be taken from the heap.
    private static let mostOpen = 64
    /// Elements of an array: no more than any reader's limit.
    private static let mostElements = 64

    /// One pass over the text. Every read is behind a comparison of `index` with `bytes.count`, and every write behind
    /// one of `top` with `open.count`.
    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        let open: UnsafeMutableBufferPointer<Member>
        var index = 0
        var top = 0

        mutating func wholeText(depth: Int) -> Bool {
            skipBlanks()
            guard next == UInt8(ascii: "{"), object(depth: depth) else { return false }
            skipBlanks()
            return index == bytes.count
        }

        /// Leaves the members above the ones of the objects around it.
        private mutating func object(depth: Int) -> Bool {
            guard depth > 0 else { return false }
            let first = top
            var bits: UInt64 = 0
            index += 1
            skipBlanks()
            if take(UInt8(ascii: "}")) { return true }
            while true {
                guard next == UInt8(ascii: "\""), top < open.count else { return false }
                let nameStart = index + 1
                guard string() else { return false }
                let nameEnd = index - 1
                let key = NameKey(bytes, nameStart..<nameEnd)
                if bits & key.bit != 0 {
                    guard isNew(nameStart..<nameEnd, key, since: first) else { return false }
                }
                bits |= key.bit
                skipBlanks()
                guard take(UInt8(ascii: ":")) else { return false }
                skipBlanks()
                let place = top
                open[place] = Member(
                    nameStart: UInt16(truncatingIfNeeded: nameStart), nameEnd: UInt16(truncatingIfNeeded: nameEnd),
                    valueStart: UInt16(truncatingIfNeeded: index), head: key.head)
                top += 1
                guard value(depth: depth) else { return false }
                top = place + 1
                open[place].valueEnd = UInt16(truncatingIfNeeded: index)
                skipBlanks()
                if take(UInt8(ascii: ",")) {
                    skipBlanks()
                } else {
                    return take(UInt8(ascii: "}"))
                }
            }
        }

        private func isNew(_ name: Range<Int>, _ key: NameKey, since first: Int) -> Bool {
            for place in first..<top where open[place].key == key {
                if key.isWhole || bytes[open[place].name].elementsEqual(bytes[name]) { return false }
            }
            return true
        }

        private mutating func value(depth: Int) -> Bool {
            switch next {
            case UInt8(ascii: "\""): string()
            case UInt8(ascii: "{"): object(depth: depth - 1)
            case UInt8(ascii: "["): array(depth: depth - 1)
            case UInt8(ascii: "t"): literal("true")
            case UInt8(ascii: "f"): literal("false")
            case UInt8(ascii: "n"): literal("null")
            default: integer()
            }
        }

        private mutating func array(depth: Int) -> Bool {
            guard depth > 0 else { return false }
            index += 1
            skipBlanks()
            if take(UInt8(ascii: "]")) { return true }
            for _ in 0..<JSONOutline.mostElements {
                let place = top
                guard value(depth: depth) else { return false }
                top = place
                skipBlanks()
                if take(UInt8(ascii: ",")) {
                    skipBlanks()
                } else {
                    return take(UInt8(ascii: "]"))
                }
            }
            return false
        }

        /// From one quotation mark to behind the other.
        private mutating func string() -> Bool {
            var place = index &+ 1
            let end = bytes.count
            let raw = UnsafeRawBufferPointer(bytes)
            while place &+ 8 <= end {
                let eight = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                let special = Self.special(eight)
                guard special != 0 else {
                    place &+= 8
                    continue
                }
                place &+= special.trailingZeroBitCount / 8
                guard bytes[place] == UInt8(ascii: "\"") else { return false }
                index = place &+ 1
                return true
            }
            while place < end {
                let byte = bytes[place]
                if byte == UInt8(ascii: "\"") {
                    index = place + 1
                    return true
                }
                guard byte &- 0x20 < 0x60, byte != UInt8(ascii: "\\") else { return false }
                place += 1
            }
            return false
        }

        /// The top bit of each of eight bytes that is a control character, a quotation mark, a reversed slash or beyond
        /// ASCII. Right up to the first of them; above it, what is taken away there may have been borrowed here.
        /// A byte less than `n` is one whose top bit is set by taking `n` away.
        private static func special(_ eight: UInt64) -> UInt64 {
            let ones: UInt64 = 0x0101_0101_0101_0101
            let control = eight &- (ones &* 0x20)
            let quote = (eight ^ (ones &* 0x22)) &- ones
            let slash = (eight ^ (ones &* 0x5C)) &- ones
            return (control | quote | slash | eight) & (ones &* 0x80)
        }

        /// At most 18 digits, which fit `Int64`.
        private mutating func integer() -> Bool {
            _ = take(UInt8(ascii: "-"))
            let first = index
            while let byte = next, byte &- 0x30 < 10 { index += 1 }
            let count = index - first
            guard count > 0, count <= 18, count == 1 || bytes[first] != UInt8(ascii: "0") else { return false }
            // A fraction or an exponent is for the other reader.
            guard let byte = next else { return true }
            return byte != UInt8(ascii: ".") && byte | 0x20 != UInt8(ascii: "e")
        }

        private mutating func literal(_ word: StaticString) -> Bool {
            guard bytes.count - index >= word.utf8CodeUnitCount else { return false }
            for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] {
                return false
            }
            index += word.utf8CodeUnitCount
            return true
        }

        private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        private mutating func skipBlanks() {
            while index < bytes.count {
                switch bytes[index] {
                case 0x20, 0x0A, 0x0D, 0x09: index += 1
                default: return
                }
            }
        }
    }
}
