// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The claims that RFC 7519, section 4.1, gives a type.
struct RegisteredClaims {
    var issuer: String?
    var subject: String?
    var tokenID: String?
    var audience: [String] = []
    var expiresAt: Instant?
    var notBefore: Instant?
    var issuedAt: Instant?

    init(_ members: JSONObject) throws(JOSEError) {
        for member in members.members { try take(member.name, member.value) }
    }

    /// From where they are in `text`, without making values of the others.
    init(_ outline: JSONOutline, of text: [UInt8]) throws(JOSEError) {
        for member in outline.members where member.key.length == 3 {
            let name = member.name.lowerBound
            let value = member.value
            switch (text[name], text[name + 1], text[name + 2]) {
            case (UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "s")):
                issuer = try Self.plainString("iss", text, value)
            case (UInt8(ascii: "s"), UInt8(ascii: "u"), UInt8(ascii: "b")):
                subject = try Self.plainString("sub", text, value)
            case (UInt8(ascii: "j"), UInt8(ascii: "t"), UInt8(ascii: "i")):
                tokenID = try Self.plainString("jti", text, value)
            case (UInt8(ascii: "a"), UInt8(ascii: "u"), UInt8(ascii: "d")):
                if let one = text.withUnsafeBufferPointer({ $0.plainString(in: value) }) {
                    audience = [one]
                } else {
                    try take("aud", Self.value(text, value))
                }
            case (UInt8(ascii: "e"), UInt8(ascii: "x"), UInt8(ascii: "p")):
                expiresAt = try Self.plainDate("exp", text, value)
            case (UInt8(ascii: "n"), UInt8(ascii: "b"), UInt8(ascii: "f")):
                notBefore = try Self.plainDate("nbf", text, value)
            case (UInt8(ascii: "i"), UInt8(ascii: "a"), UInt8(ascii: "t")):
                issuedAt = try Self.plainDate("iat", text, value)
            default: break
            }
        }
    }

    private mutating func take(_ name: String, _ value: JSONValue) throws(JOSEError) {
        switch name {
        case "iss": issuer = try Self.string(name, value)
        case "sub": subject = try Self.string(name, value)
        case "jti": tokenID = try Self.string(name, value)
        case "aud": audience = try Self.strings(name, value)
        case "exp": expiresAt = try Self.date(name, value)
        case "nbf": notBefore = try Self.date(name, value)
        case "iat": issuedAt = try Self.date(name, value)
        default: break
        }
    }

    private static func string(_ name: String, _ value: JSONValue) throws(JOSEError) -> String {
        guard case .string(let text) = value else { throw wrongType(name) }
        return text
    }

    private static func strings(_ name: String, _ value: JSONValue) throws(JOSEError) -> [String] {
        if case .string(let text) = value { return [text] }
        guard case .array(let elements) = value else { throw wrongType(name) }
        var texts: [String] = []
        for element in elements { texts.append(try string(name, element)) }
        return texts
    }

    /// NumericDate: seconds since 1970, with a fraction or without (RFC 7519, section 2), up to the year 9999.
    private static func date(_ name: String, _ value: JSONValue) throws(JOSEError) -> Instant {
        switch value {
        case .integer(let seconds) where (0...253_402_300_799).contains(seconds):
            return Instant(seconds: seconds)
        case .number(let seconds) where (0...253_402_300_799).contains(seconds):
            return Instant(microseconds: Int64(seconds * 1_000_000))
        default: throw wrongType(name)
        }
    }

    private static func plainDate(
        _ name: String, _ text: [UInt8], _ range: Range<Int>
    ) throws(JOSEError) -> Instant {
        if let seconds = text.withUnsafeBufferPointer({ $0.plainInteger(in: range) }) {
            return try date(name, .integer(seconds))
        }
        return try date(name, value(text, range))
    }

    private static func plainString(
        _ name: String, _ text: [UInt8], _ range: Range<Int>
    ) throws(JOSEError) -> String {
        guard let value = text.withUnsafeBufferPointer({ $0.plainString(in: range) }) else { throw wrongType(name) }
        return value
    }

    private static func value(_ text: [UInt8], _ range: Range<Int>) throws(JOSEError) -> JSONValue {
        do {
            return try JSONValue(parsing: text[range])
        } catch {
            throw JOSEError(.malformed, "\(error)")
        }
    }

    private static func wrongType(_ name: String) -> JOSEError {
        JOSEError(.malformed, "\(name) is not of its type")
    }
}
