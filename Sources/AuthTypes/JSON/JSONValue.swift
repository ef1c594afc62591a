// SPDX-License-Identifier: Apache-2.0

/// A JSON text's value (RFC 8259). Whole numbers that fit stay whole: `auth_time` must not become `1.7e9`.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent that fits into 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// Values in an order.
    case array([JSONValue])
    /// Names with their values.
    case object(JSONObject)
}

extension JSONValue {
    /// `nil`, here and below, for a value of another type.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The truth value; a number is none.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The whole number; `nil` for ``number(_:)``, however whole its value is.
    public var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The elements.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members.
    public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }
    /// Whether it is JSON's null.
    public var isNull: Bool { self == .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral, ExpressibleByFloatLiteral
{
    /// ``string(_:)``.
    public init(stringLiteral value: String) { self = .string(value) }
    /// ``bool(_:)``.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// ``integer(_:)``.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// ``number(_:)``.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// ``null``.
    public init(nilLiteral: ()) { self = .null }
    /// ``array(_:)``.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// ``object(_:)``.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}
