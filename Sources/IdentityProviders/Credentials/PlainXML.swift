// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A small XML document (XML 1.0, fifth edition) as programs write answers: elements and their text. Attributes are
/// passed over, prefixes are part of a name. There is no document type, and so no entity but the five of the standard;
/// whatever is more than the limits is no document.
///
/// Each octet is looked at once.
struct PlainXML: Sendable {
    private static let (deepest, mostElements) = (16, 1024)

    /// By the names that lead there, joined by slashes, what the first such element holds, where that is text alone.
    private var texts: [String: String] = [:]

    /// `nil` for what is none.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        guard let texts = reader.document() else { return nil }
        self.texts = texts
    }

    /// What the element holds that these names lead to.
    func text(at path: [String]) -> String? { texts[path.joined(separator: "/")] }

    private struct Reader {
        let bytes: [UInt8]
        var index = 0
        private var count = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func document() -> [String: String]? {
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
            guard String(strictUTF8: bytes) != nil else { return nil }
            var texts: [String: String] = [:]
            var path: [(name: String, text: [UInt8], isLeaf: Bool)] = []
            var isClosed = false
            while index < bytes.count {
                guard bytes[index] == UInt8(ascii: "<") else {
                    guard let text = characters() else { return nil }
                    if path.isEmpty {
                        guard text.allSatisfy(Self.isBlank) else { return nil }
                    } else {
                        path[path.count - 1].text += text
                    }
                    continue
                }
                index += 1
                switch peek {
                case UInt8(ascii: "?"): guard skip(past: "?>") else { return nil }
                case UInt8(ascii: "!"):
                    guard bytes[index...].starts(with: "!--".utf8), skip(past: "-->") else { return nil }
                case UInt8(ascii: "/"):
                    index += 1
                    guard let element = path.last, name() == element.name, end() == .open else { return nil }
                    let place = path.map(\.name).joined(separator: "/")
                    if element.isLeaf, texts[place] == nil {
                        texts[place] = String(decoding: element.text, as: UTF8.self)
                    }
                    path.removeLast()
                    isClosed = path.isEmpty
                default:
                    guard !isClosed, path.count < PlainXML.deepest, count < PlainXML.mostElements, let name = name()
                    else {
                        return nil
                    }
                    count += 1
                    if !path.isEmpty { path[path.count - 1].isLeaf = false }
                    switch end() {
                    case .open: path.append((name, [], true))
                    case .empty: isClosed = path.isEmpty
                    case nil: return nil
                    }
                }
            }
            return isClosed ? texts : nil
        }

        private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

        private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

        private mutating func name() -> String? {
            let start = index
            while let byte = peek, !Self.isBlank(byte), byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/"),
                byte != UInt8(ascii: "<"), byte != UInt8(ascii: "="), index - start < 128
            { index += 1 }
            return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
        }

        private enum End { case open, empty }

        /// The rest of a tag, with its attributes passed over.
        private mutating func end() -> End? {
            var quote: UInt8?
            var last: UInt8 = 0
            while let byte = peek {
                index += 1
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return last == UInt8(ascii: "/") ? .empty : .open
                } else if byte == UInt8(ascii: "<") {
                    return nil
                }
                last = byte
            }
            return nil
        }

        private mutating func skip(past end: String) -> Bool {
            let end = Array(end.utf8)
            while index + end.count <= bytes.count {
                if bytes[index..<(index + end.count)].elementsEqual(end) {
                    index += end.count
                    return true
                }
                index += 1
            }
            return false
        }

        private static let entities: [String: UInt8] = [
            "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"), "amp": UInt8(ascii: "&"), "quot": UInt8(ascii: "\""),
            "apos": UInt8(ascii: "'"),
        ]

        /// Text up to the next tag, its references resolved.
        private mutating func characters() -> [UInt8]? {
            var text: [UInt8] = []
            while let byte = peek, byte != UInt8(ascii: "<") {
                index += 1
                guard byte == UInt8(ascii: "&") else {
                    text.append(byte)
                    continue
                }
                let start = index
                while let byte = peek, byte != UInt8(ascii: ";"), index - start < 10 { index += 1 }
                guard peek == UInt8(ascii: ";") else { return nil }
                let name = String(decoding: bytes[start..<index], as: UTF8.self)
                index += 1
                guard let resolved = Self.reference(name) else { return nil }
                text += resolved
            }
            return text
        }

        private static func reference(_ name: String) -> [UInt8]? {
            if let byte = entities[name] { return [byte] }
            guard name.hasPrefix("#") else { return nil }
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            return number.flatMap(Unicode.Scalar.init).map { Array(String($0).utf8) }
        }
    }
}
