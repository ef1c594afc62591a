// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A request's JSON object, read as tolerantly as this platform reads it (proto3's JSON mapping): names in camel or
/// snake case, null for absent, numbers and strings for one another, enumerations by name or number, unknown members
/// passed over.
struct Input: Sendable {
    let object: JSONObject

    init(object: JSONObject) {
        self.object = object
    }

    /// The member in either spelling; `nil` where it is missing or null.
    func value(_ name: String) -> JSONValue? {
        if let value = object[name], !value.isNull { return value }
        // Spelled the other way only where that is another spelling.
        guard name.utf8.contains(where: { (65...90).contains($0) }) else { return nil }
        if let value = object[Self.snakeCase(name)], !value.isNull { return value }
        return nil
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    /// An empty string is a value: see ``given(_:)``.
    func text(_ name: String) throws(WireError) -> String? {
        switch value(name) {
        case nil: nil
        case .string(let text): text
        case .integer(let number): String(number)
        default: throw Self.mismatch(name, "TYPE_STRING")
        }
    }

    /// As ``text(_:)``, with the empty string as good as absent, which is what it is in protocol buffers.
    func given(_ name: String) throws(WireError) -> String? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        return text
    }

    func secret(_ name: String) throws(WireError) -> Secret<String>? { try given(name).map { Secret($0) } }

    func flag(_ name: String) throws(WireError) -> Bool? {
        switch value(name) {
        case nil: nil
        case .bool(let flag): flag
        case .string("true"): true
        case .string("false"): false
        default: throw Self.mismatch(name, "TYPE_BOOL")
        }
    }

    func number(_ name: String) throws(WireError) -> Int64? {
        switch value(name) {
        case nil: return nil
        case .integer(let number): return number
        case .string(let text):
            guard let number = Int64(text) else { throw Self.mismatch(name, "TYPE_INT64") }
            return number
        default: throw Self.mismatch(name, "TYPE_INT64")
        }
    }

    /// A repeated string; one that stands alone is a list of one.
    func texts(_ name: String) throws(WireError) -> [String] {
        switch value(name) {
        case nil: return []
        case .string(let text): return [text]
        case .array(let elements):
            var texts: [String] = []
            for element in elements {
                switch element {
                case .string(let text): texts.append(text)
                case .integer(let number): texts.append(String(number))
                default: throw Self.mismatch(name, "TYPE_STRING")
                }
            }
            return texts
        default: throw Self.mismatch(name, "TYPE_STRING")
        }
    }

    func objects(_ name: String) throws(WireError) -> [Input] {
        switch value(name) {
        case nil: return []
        case .array(let elements):
            var inputs: [Input] = []
            for element in elements {
                guard case .object(let object) = element else { throw Self.mismatch(name, "TYPE_MESSAGE") }
                inputs.append(Input(object: object))
            }
            return inputs
        default: throw Self.mismatch(name, "TYPE_MESSAGE")
        }
    }

    func members(_ name: String) throws(WireError) -> Input? {
        switch value(name) {
        case nil: return nil
        case .object(let object): return Input(object: object)
        default: throw Self.mismatch(name, "TYPE_MESSAGE")
        }
    }

    /// An enumeration's case by its name or its number, the number also as a string.
    ///
    /// - Parameter cases: each at the index that is its number.
    func enumeration(_ name: String, _ cases: [String]) throws(WireError) -> String? {
        guard let value = value(name) else { return nil }
        return try Self.enumerated(value, cases, name)
    }

    func enumerations(_ name: String, _ cases: [String]) throws(WireError) -> [String] {
        switch value(name) {
        case nil: return []
        case .array(let elements):
            var found: [String] = []
            for element in elements { found.append(try Self.enumerated(element, cases, name)) }
            return found
        case let single?: return [try Self.enumerated(single, cases, name)]
        }
    }

    private static func enumerated(
        _ value: JSONValue, _ cases: [String], _ name: String
    ) throws(WireError) -> String {
        switch value {
        case .string(let text) where cases.contains(text): return text
        case .string(let text):
            if let index = Int(text), cases.indices.contains(index) { return cases[index] }
        case .integer(let number):
            if let index = Int(exactly: number), cases.indices.contains(index) { return cases[index] }
        default: break
        }
        throw mismatch(name, "TYPE_ENUM")
    }

    /// - Throws: `INVALID_EMAIL`.
    func email(_ name: String = "email") throws -> EmailAddress? {
        guard let text = try text(name) else { return nil }
        return try EmailAddress(text)
    }

    /// - Throws: `INVALID_PHONE_NUMBER`.
    func phone(_ name: String = "phoneNumber") throws -> PhoneNumber? {
        guard let text = try given(name) else { return nil }
        guard text.hasPrefix("+") else { throw AuthError(.invalidPhone, field: name) }
        return try PhoneNumber(text)
    }

    private static func mismatch(_ name: String, _ type: String) -> WireError {
        .unreadable("Invalid value at '\(name)' (\(type))")
    }

    /// `returnSecureToken` as `return_secure_token`.
    static func snakeCase(_ name: String) -> String {
        var snake: [UInt8] = []
        snake.reserveCapacity(name.utf8.count + 4)
        for byte in name.utf8 {
            if (65...90).contains(byte) {
                snake.append(UInt8(ascii: "_"))
                snake.append(byte | 0x20)
            } else {
                snake.append(byte)
            }
        }
        return String(decoding: snake, as: UTF8.self)
    }
}
