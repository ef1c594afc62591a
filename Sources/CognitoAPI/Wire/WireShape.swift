// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The shape that the service's model gives a member, for members that are kept and shown as they were given: what is
/// none of it is refused in the service's words, and what the model does not have is passed over, as the service does.
indirect enum WireShape: Sendable {
    case text(ClosedRange<Int>, Member.Pattern? = nil)
    case choice([String])
    case flag
    case integer(ClosedRange<Int64>)
    case list(WireShape, ClosedRange<Int> = 0...1000)
    case map(keys: Member, WireShape, ClosedRange<Int>)
    case structure([String: WireShape], required: [String] = [])

    /// The member of this name, without what its shape does not have; `nil` where there is none.
    ///
    /// - Throws: `InvalidParameterException`, `SerializationException` for another type.
    func read(_ name: String, of input: Input) throws(WireError) -> JSONValue? {
        switch self {
        case .text(let length, let pattern):
            return try input.text(Member(name, length, pattern)).map { .string($0) }
        case .choice(let choices): return try input.choice(name, from: choices).map { .string($0) }
        case .flag: return try input.flag(name).map { .bool($0) }
        case .integer(let range): return try input.integer(name, in: range).map { .integer($0) }
        case .list(let element, let count):
            guard let values = try input.list(name) else { return nil }
            try Self.require(values.count, in: count, name)
            var list: [JSONValue] = []
            for value in values { list.append(try element.readElement(value, of: name)) }
            return .array(list)
        case .map(let keys, let element, let count):
            guard let given = try input.members(name) else { return nil }
            try Self.require(given.members.count, in: count, name)
            var map = JSONObject()
            for member in given.members {
                try keys.check(member.name)
                map[member.name] = try element.readElement(member.value, of: name)
            }
            return .object(map)
        case .structure(let shapes, let required):
            guard let given = try input.members(name) else { return nil }
            let inner = Input(given)
            var structure = JSONObject()
            for member in given.members {
                structure[member.name] = try shapes[member.name]?.read(member.name, of: inner)
            }
            for member in required where structure[member] == nil { throw Input.missing(member) }
            return .object(structure)
        }
    }

    private func readElement(_ value: JSONValue, of name: String) throws(WireError) -> JSONValue {
        var element = JSONObject()
        element[name] = value
        guard let read = try read(name, of: Input(element)) else { throw Input.missing(name) }
        return read
    }

    private static func require(_ count: Int, in range: ClosedRange<Int>, _ name: String) throws(WireError) {
        if count < range.lowerBound {
            throw Input.violation("Value", name, "have length greater than or equal to \(range.lowerBound)")
        }
        if count > range.upperBound {
            throw Input.violation("Value", name, "have length less than or equal to \(range.upperBound)")
        }
    }
}
