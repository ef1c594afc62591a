// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The claims of a JWT (RFC 7519, section 4): the registered ones by type, all others by ``subscript(_:)``.
public struct JWTClaims: Sendable, Hashable {
    public let members: JSONObject
    public let issuer: String?
    public let subject: String?
    /// `aud`, whether it was written as one string or as several.
    public let audience: [String]
    public let expiresAt: Instant?
    public let notBefore: Instant?
    public let issuedAt: Instant?
    /// `jti`.
    public let tokenID: String?

    /// - Throws: ``JOSEError/Code/malformed`` when the payload is not a JSON object, or a registered claim is not of
    ///   its type.
    public init(parsing payload: [UInt8]) throws(JOSEError) {
        do {
            members = try JSONObject(parsing: payload)
        } catch {
            throw JOSEError(.malformed, "the payload is not a JSON object: \(error)")
        }
        var issuer: String?
        var subject: String?
        var tokenID: String?
        var audience: [String] = []
        var expiresAt: Instant?
        var notBefore: Instant?
        var issuedAt: Instant?
        for member in members.members {
            switch member.name {
            case "iss": issuer = try Self.string(member)
            case "sub": subject = try Self.string(member)
            case "jti": tokenID = try Self.string(member)
            case "aud": audience = try Self.strings(member)
            case "exp": expiresAt = try Self.date(member)
            case "nbf": notBefore = try Self.date(member)
            case "iat": issuedAt = try Self.date(member)
            default: break
            }
        }
        self.issuer = issuer
        self.subject = subject
        self.tokenID = tokenID
        self.audience = audience
        self.expiresAt = expiresAt
        self.notBefore = notBefore
        self.issuedAt = issuedAt
    }

    public subscript(name: String) -> JSONValue? { members[name] }

    private static func string(_ member: JSONObject.Member) throws(JOSEError) -> String {
        guard case .string(let text) = member.value else { throw wrongType(member) }
        return text
    }

    private static func strings(_ member: JSONObject.Member) throws(JOSEError) -> [String] {
        if case .string(let text) = member.value { return [text] }
        guard case .array(let elements) = member.value else { throw wrongType(member) }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw wrongType(member) }
            texts.append(text)
        }
        return texts
    }

    /// NumericDate: seconds since 1970, with a fraction or without (RFC 7519, section 2), up to the year 9999.
    private static func date(_ member: JSONObject.Member) throws(JOSEError) -> Instant {
        switch member.value {
        case .integer(let seconds) where (0...253_402_300_799).contains(seconds):
            return Instant(seconds: seconds)
        case .number(let seconds) where (0...253_402_300_799).contains(seconds):
            return Instant(microseconds: Int64(seconds * 1_000_000))
        default: throw wrongType(member)
        }
    }

    private static func wrongType(_ member: JSONObject.Member) -> JOSEError {
        JOSEError(.malformed, "\(member.name) is not of its type")
    }
}
