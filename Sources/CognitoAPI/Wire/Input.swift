// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The members of an operation's input, read the way the service reads them: each against the constraint that its model
/// gives the member, unknown ones passed over, a null the same as none.
struct Input: Sendable {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// - Throws: `InvalidParameterException` in the service's words, `SerializationException` for another type.
    func text(_ member: Member) throws(WireError) -> String? {
        switch object[member.name] {
        case nil, .null: return nil
        case .string(let value):
            try member.check(value)
            return value
        default: throw Self.mismatch(member.name, "String")
        }
    }

    func required(_ member: Member) throws(WireError) -> String {
        guard let value = try text(member) else { throw Self.missing(member.name) }
        return value
    }

    func secret(_ member: Member) throws(WireError) -> Secret<String>? { try text(member).map { Secret($0) } }

    func requiredSecret(_ member: Member) throws(WireError) -> Secret<String> { Secret(try required(member)) }

    func flag(_ name: String) throws(WireError) -> Bool? {
        switch object[name] {
        case nil, .null: nil
        case .bool(let value): value
        default: throw Self.mismatch(name, "Boolean")
        }
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(WireError) -> Int64? {
        switch object[name] {
        case nil, .null: return nil
        case .integer(let value):
            if value < range.lowerBound {
                throw Self.violation(
                    "Value '\(value)'", name, "have value greater than or equal to \(range.lowerBound)")
            }
            if value > range.upperBound {
                throw Self.violation("Value '\(value)'", name, "have value less than or equal to \(range.upperBound)")
            }
            return value
        default: throw Self.mismatch(name, "Integer")
        }
    }

    func members(_ name: String) throws(WireError) -> JSONObject? {
        switch object[name] {
        case nil, .null: nil
        case .object(let value): value
        default: throw Self.mismatch(name, "Structure")
        }
    }

    func list(_ name: String) throws(WireError) -> [JSONValue]? {
        switch object[name] {
        case nil, .null: nil
        case .array(let value): value
        default: throw Self.mismatch(name, "List")
        }
    }

    func texts(_ name: String) throws(WireError) -> [String]? {
        guard let values = try list(name) else { return nil }
        var texts: [String] = []
        for value in values {
            guard let text = value.stringValue else { throw Self.mismatch(name, "String") }
            texts.append(text)
        }
        return texts
    }

    /// A list of values of which each is one of a few.
    func choices(_ name: String, from allowed: [String]) throws(WireError) -> [String]? {
        guard let texts = try texts(name) else { return nil }
        for text in texts where !allowed.contains(text) {
            throw Self.violation(
                "Value '[\(Self.excerpt(texts.joined(separator: ", ")))]'", name,
                "satisfy constraint: [Member must satisfy enum value set: [\(allowed.joined(separator: ", "))]]")
        }
        return texts
    }

    func choice(_ name: String, from allowed: [String]) throws(WireError) -> String? {
        try text(Member(name, oneOf: allowed))
    }

    /// Refuses what is none of these members, unless it is off: what a newer model of the service lets a caller ask for
    /// is not dropped in silence.
    ///
    /// - Throws: `InvalidParameterException`.
    func require(nothingBut names: Set<String>) throws(WireError) {
        for member in object.members where !names.contains(member.name) {
            if member.value == .null || member.value == .bool(false) { continue }
            throw .parameter("\(Self.excerpt(member.name)) is not supported by this server.")
        }
    }

    // MARK: The service's words

    static func missing(_ name: String) -> WireError {
        .parameter(
            "1 validation error detected: Value null at '\(name.lowerCamel)' failed to satisfy constraint: "
                + "Member must not be null")
    }

    static func violation(_ value: String, _ name: String, _ rule: String) -> WireError {
        .parameter(
            "1 validation error detected: \(value) at '\(name.lowerCamel)' failed to satisfy constraint: "
                + "Member must \(rule)")
    }

    static func mismatch(_ name: String, _ type: String) -> WireError {
        WireError("SerializationException", "\(name) can not be converted to a \(type)")
    }

    /// What is repeated to the client of what it sent.
    static func excerpt(_ text: String) -> String { String(text.prefix(128)) }
}

extension String {
    /// The service's messages name a member as its own code does: `userPoolId` for `UserPoolId`.
    var lowerCamel: String { prefix(1).lowercased() + dropFirst() }
}
