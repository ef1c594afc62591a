// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The claims of a JWT (RFC 7519, section 4): the registered ones by type, all others by ``subscript(_:)``.
public struct JWTClaims: Sendable {
    public let issuer: String?
    public let subject: String?
    /// `aud`, whether it was written as one string or as several.
    public let audience: [String]
    public let expiresAt: Instant?
    public let notBefore: Instant?
    public let issuedAt: Instant?
    /// `jti`.
    public let tokenID: String?
    private let source: Source

    /// Most claims of most tokens are never asked for: they stay text until they are.
    private enum Source: Sendable {
        case text([UInt8], JSONOutline)
        case members(JSONObject)
    }

    /// - Throws: ``JOSEError/Code/malformed`` when the payload is not a JSON object, or a registered claim is not of
    ///   its type.
    public init(parsing payload: [UInt8]) throws(JOSEError) {
        if let outline = JSONOutline(of: payload) {
            try self.init(RegisteredClaims(outline, of: payload), source: .text(payload, outline))
            return
        }
        let members: JSONObject
        do {
            members = try JSONObject(parsing: payload)
        } catch {
            throw JOSEError(.malformed, "the payload is not a JSON object: \(error)")
        }
        try self.init(RegisteredClaims(members), source: .members(members))
    }

    private init(_ registered: RegisteredClaims, source: Source) {
        issuer = registered.issuer
        subject = registered.subject
        audience = registered.audience
        expiresAt = registered.expiresAt
        notBefore = registered.notBefore
        issuedAt = registered.issuedAt
        tokenID = registered.tokenID
        self.source = source
    }

    /// All claims, as they were written. They may be read anew at each call: for one of them, ask ``subscript(_:)``.
    public var members: JSONObject {
        switch source {
        case .text(let text, _): (try? JSONObject(parsing: text)) ?? [:]
        case .members(let members): members
        }
    }

    public subscript(name: String) -> JSONValue? {
        guard case .text(let text, let outline) = source else { return members[name] }
        var name = name
        let found: JSONValue?? = name.withUTF8 { wanted in
            let key = JSONOutline.NameKey(wanted, 0..<wanted.count)
            if outline.bits & key.bit != 0 {
                for member in outline.members where member.key == key {
                    if key.isWhole || text[member.name].elementsEqual(wanted) {
                        return .some(try? JSONValue(parsing: text[member.value]))
                    }
                }
            }
            // An ASCII name may be canonically equivalent to one that is not, such as K to the Kelvin sign.
            return wanted.allSatisfy { $0 < 0x80 } ? .some(nil) : nil
        }
        return found ?? members[name]
    }
}

extension JWTClaims: Hashable {
    public static func == (lhs: JWTClaims, rhs: JWTClaims) -> Bool { lhs.members == rhs.members }
    public func hash(into hasher: inout Hasher) { hasher.combine(members) }
}
