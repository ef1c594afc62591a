// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The claims that RFC 7519, section 4.1, gives a type, taken from values. Those of most tokens are not: see
/// ``PlainClaims``.
struct RegisteredClaims: Sendable {
    private(set) var issuer: String?
    private(set) var subject: String?
    private(set) var tokenID: String?
    private(set) var audience: [String] = []
    private(set) var expiresAt: Instant?
    private(set) var notBefore: Instant?
    private(set) var issuedAt: Instant?

    init(_ members: JSONObject) throws(JOSEError) {
        for member in members.members { try take(member.name, member.value) }
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

    static func strings(_ name: String, _ value: JSONValue) throws(JOSEError) -> [String] {
        if case .string(let text) = value { return [text] }
        guard case .array(let elements) = value else { throw wrongType(name) }
        var texts: [String] = []
        for element in elements { texts.append(try string(name, element)) }
        return texts
    }

    /// NumericDate: seconds since 1970, with a fraction or without (RFC 7519, section 2), up to the year 9999.
    static func date(_ name: String, _ value: JSONValue) throws(JOSEError) -> Instant {
        switch value {
        case .integer(let seconds) where (0...253_402_300_799).contains(seconds):
            return Instant(seconds: seconds)
        case .number(let seconds) where (0...253_402_300_799).contains(seconds):
            return Instant(microseconds: Int64(seconds * 1_000_000))
        default: throw wrongType(name)
        }
    }

    static func wrongType(_ name: String) -> JOSEError {
        JOSEError(.malformed, "\(name) is not of its type")
    }
}
