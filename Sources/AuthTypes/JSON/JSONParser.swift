// SPDX-License-Identifier: Apache-2.0

/// One pass over the bytes of a JSON text. Every read is behind a comparison of `index` with `count`.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    let count: Int
    let limits: JSONLimits
    var index = 0

    static func parse(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) -> Result<JSONValue, JSONError> {
        guard bytes.count <= limits.bytes else { return .failure(JSONError(.tooLarge, at: limits.bytes)) }
        var parser = JSONParser(bytes: bytes, count: bytes.count, limits: limits)
        return Result { () throws(JSONError) -> JSONValue in try parser.text() }
    }

    private mutating func text() throws(JSONError) -> JSONValue {
        skipWhitespace()
        let value = try value(depth: 0)
        skipWhitespace()
        guard index == count else { throw JSONError(.trailingBytes, at: index) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard index < count else { throw malformed() }
        switch bytes[index] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw malformed()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= limits.depth else { throw JSONError(.tooDeep, at: index) }
        index += 1
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return JSONObject() }
        var members: [JSONObject.Member] = []
        // The outermost object usually has several; for each inner one this would give a sender's byte much memory.
        if depth == 1 { members.reserveCapacity(12) }
        var places = MemberPlaces()
        while true {
            guard index < count, bytes[index] == UInt8(ascii: "\"") else { throw malformed() }
            let start = index
            let name = try string()
            guard places.place(of: name, in: members) == nil else { throw JSONError(.duplicateName, at: start) }
            guard members.count < limits.members else { throw JSONError(.tooLarge, at: start) }
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw malformed() }
            skipWhitespace()
            members.append(JSONObject.Member(name: name, value: try value(depth: depth)))
            places.appended(to: members)
            skipWhitespace()
            if take(UInt8(ascii: ",")) {
                skipWhitespace()
            } else if take(UInt8(ascii: "}")) {
                return JSONObject(members, at: places)
            } else {
                throw malformed()
            }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= limits.depth else { throw JSONError(.tooDeep, at: index) }
        index += 1
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return [] }
        var elements: [JSONValue] = []
        while true {
            guard elements.count < limits.members else { throw JSONError(.tooLarge, at: index) }
            elements.append(try value(depth: depth))
            skipWhitespace()
            if take(UInt8(ascii: ",")) {
                skipWhitespace()
            } else if take(UInt8(ascii: "]")) {
                return elements
            } else {
                throw malformed()
            }
        }
    }

    private mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        guard count - index >= word.utf8CodeUnitCount else { throw malformed() }
        for position in 0..<word.utf8CodeUnitCount where bytes[index + position] != word.utf8Start[position] {
            throw malformed()
        }
        index += word.utf8CodeUnitCount
        return value
    }

    private mutating func skipWhitespace() {
        while index < count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard index < count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    func malformed() -> JSONError { JSONError(.malformed, at: index) }
}
