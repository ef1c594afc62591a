// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The claims of a JWT (RFC 7519, section 4): the registered ones by type, all others by ``subscript(_:)``.
public struct JWTClaims: Sendable {
    private let source: Source

    /// Most claims of most tokens are never asked for: they stay text until they are.
    private enum Source: Sendable {
        case plain(PlainClaims)
        case read(ReadClaims)
    }

    /// - Throws: ``JOSEError/Code/malformed`` when the payload is not a JSON object, or a registered claim is not of
    ///   its type.
    public init(parsing payload: [UInt8]) throws(JOSEError) {
        if let plain = try PlainClaims.reading(payload) {
            source = .plain(plain)
            return
        }
        let members: JSONObject
        do {
            members = try JSONObject(parsing: payload)
        } catch {
            throw JOSEError(.malformed, "the payload is not a JSON object: \(error)")
        }
        source = .read(ReadClaims(try RegisteredClaims(members), members))
    }

    /// `iss`: who made the token (RFC 7519, section 4.1.1).
    public var issuer: String? {
        switch source {
        case .plain(let claims): claims.issuer
        case .read(let claims): claims.registered.issuer
        }
    }

    /// `sub`: whom it is about, unique to the issuer (section 4.1.2).
    public var subject: String? {
        switch source {
        case .plain(let claims): claims.subject
        case .read(let claims): claims.registered.subject
        }
    }

    /// `aud`, whether it was written as one string or as several.
    public var audience: [String] {
        switch source {
        case .plain(let claims): claims.audience
        case .read(let claims): claims.registered.audience
        }
    }

    /// `exp`: from then on it is good no longer (section 4.1.4).
    public var expiresAt: Instant? {
        switch source {
        case .plain(let claims): claims.expiresAt
        case .read(let claims): claims.registered.expiresAt
        }
    }

    /// `nbf`: until then it is not good yet (section 4.1.5).
    public var notBefore: Instant? {
        switch source {
        case .plain(let claims): claims.notBefore
        case .read(let claims): claims.registered.notBefore
        }
    }

    /// `iat`: when it was made (section 4.1.6).
    public var issuedAt: Instant? {
        switch source {
        case .plain(let claims): claims.issuedAt
        case .read(let claims): claims.registered.issuedAt
        }
    }

    /// `jti`.
    public var tokenID: String? {
        switch source {
        case .plain(let claims): claims.tokenID
        case .read(let claims): claims.registered.tokenID
        }
    }

    /// All claims, as they were written. They may be read anew at each call: for one of them, ask ``subscript(_:)``.
    public var members: JSONObject {
        switch source {
        case .plain(let claims): (try? JSONObject(parsing: claims.text)) ?? [:]
        case .read(let claims): claims.members
        }
    }

    /// The claim of that name; `nil` where there is none. Reads nothing but what it needs.
    public subscript(name: String) -> JSONValue? {
        guard case .plain(let claims) = source else { return members[name] }
        var name = name
        let found: JSONValue?? = name.withUTF8 { wanted in
            if let value = claims.value(of: wanted) { return .some(value) }
            // An ASCII name may be canonically equivalent to one that is not, such as K to the Kelvin sign.
            return wanted.allSatisfy { $0 < 0x80 } ? .some(nil) : nil
        }
        return found ?? members[name]
    }
}

extension JWTClaims {
    /// The claim of an ASCII name as a JSON text; `nil` where there is none.
    package func text(of name: StaticString) -> [UInt8]? {
        guard case .plain(let claims) = source else { return members[name.description]?.serialized() }
        return name.withUTF8Buffer { claims.valueText(of: $0) }.map { Array($0) }
    }

    /// Whether `iss` is seen to be these bytes of UTF-8 at a glance. `false` means that ``issuer`` is to be asked.
    package func isIssuer(_ bytes: [UInt8]) -> Bool {
        if case .plain(let claims) = source { claims.isIssuer(bytes) } else { false }
    }

    /// Whether `aud` is seen to be one string of these bytes at a glance. `false` means that ``audience`` is to be
    /// asked.
    package func isAudience(_ bytes: [UInt8]) -> Bool {
        if case .plain(let claims) = source { claims.isAudience(bytes) } else { false }
    }

    /// Whether `sub` has 1 to `limit` characters. Of most it is seen without reading it: no character takes less than a
    /// byte.
    package func hasSubject(upTo limit: Int) -> Bool {
        if case .plain(let claims) = source, (1...limit).contains(claims.subjectLength) { return true }
        guard let subject else { return false }
        return (1...limit).contains(subject.unicodeScalars.count)
    }

    /// `false` when none of `token_use`, `typ`, `events`, `at_hash` and `c_hash` is among the claims.
    package var mayStateKind: Bool {
        if case .plain(let claims) = source { claims.mayStateKind } else { true }
    }
}

/// The claims of a text that had to be read whole.
private final class ReadClaims: Sendable {
    let registered: RegisteredClaims
    let members: JSONObject

    init(_ registered: RegisteredClaims, _ members: JSONObject) {
        self.registered = registered
        self.members = members
    }
}

extension JWTClaims: Hashable {
    public static func == (lhs: JWTClaims, rhs: JWTClaims) -> Bool { lhs.members == rhs.members }
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
