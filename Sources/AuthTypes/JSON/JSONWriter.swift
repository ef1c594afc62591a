// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// The JSON text of this value (RFC 8259) without blanks, in UTF-8, members in their order.
    ///
    /// A `Double` is written with the fewest digits that read back as the same; one that is not finite, which JSON
    /// cannot say, as `null`.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.output
    }

    /// ``serialized()`` as a string.
    public var text: String { String(decoding: serialized(), as: UTF8.self) }
}

extension JSONObject {
    /// As ``JSONValue/serialized()``.
    public func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.output
    }

    /// ``serialized()`` as a string.
    public var text: String { String(decoding: serialized(), as: UTF8.self) }
}

struct JSONWriter {
    private(set) var output: [UInt8] = []

    init() { output.reserveCapacity(512) }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .bool(let value): write(value)
        case .integer(let value): write(value)
        case .number(let value): output.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
        case .string(let value): write(value)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            var first = true
            for element in elements {
                if !first { output.append(UInt8(ascii: ",")) }
                first = false
                write(element)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object): write(object)
        }
    }

    mutating func write(_ object: JSONObject) {
        output.append(UInt8(ascii: "{"))
        var first = true
        for member in object.members {
            if !first { output.append(UInt8(ascii: ",")) }
            first = false
            write(member.name)
            output.append(UInt8(ascii: ":"))
            write(member.value)
        }
        output.append(UInt8(ascii: "}"))
    }

    mutating func writeNull() { append("null") }

    mutating func write(_ value: Bool) { append(value ? "true" : "false") }

    mutating func write(_ value: Int64) { output.append(contentsOf: String(value).utf8) }

    mutating func write(text: [UInt8]) { output.append(contentsOf: text) }

    /// Of an object whose members are written one by one.
    mutating func begin() { output.append(UInt8(ascii: "{")) }

    /// - Parameter name: needs no escapes.
    mutating func name(_ name: StaticString) {
        append(output.count == 1 ? "\"" : ",\"")
        append(name)
        append("\":")
    }

    mutating func end() { output.append(UInt8(ascii: "}")) }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { output.append(contentsOf: $0) }
    }

    mutating func write(_ string: String) {
        output.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { bytes in
            // Runs of plain bytes are appended at once, and most texts are one.
            // Counted without a way out in the middle, which the compiler makes steps of many octets of.
            var escaped = 0
            for byte in bytes { escaped |= Self.isEscaped(byte) ? 1 : 0 }
            if escaped == 0 {
                output.append(contentsOf: bytes)
                return
            }
            var start = 0
            for index in bytes.indices {
                let byte = bytes[index]
                guard Self.isEscaped(byte) else { continue }
                // Nothing lies between two that are escaped, where a text is full of them.
                if start < index { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<index])) }
                escape(byte)
                start = index + 1
            }
            if start < bytes.count { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...])) }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private mutating func escape(_ byte: UInt8) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(contentsOf: "u00".utf8)
            Hex.append(byte, to: &output)
        }
    }
}
