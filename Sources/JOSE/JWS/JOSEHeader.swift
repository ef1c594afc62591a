// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The protected header of a JWS (RFC 7515, section 4). Nothing in it is trusted: it says which key and algorithm the
/// token claims, never where a key is to be had. `jwk`, `jku`, `x5c` and `x5u` are ignored.
public struct JOSEHeader: Sendable {
    /// `alg` (RFC 7515, section 4.1.1): what the token says it is signed with. Believed only where the key agrees.
    public var algorithm: JWSAlgorithm { contents.algorithm }
    /// `kid`.
    public var keyID: String? { contents.keyID }
    /// `typ`.
    public var type: String? { contents.type }
    /// `cty`.
    public var contentType: String? { contents.contentType }
    /// All of them, read anew at each call.
    public var members: JSONObject { (try? JSONObject(parsing: contents.text, limits: Self.limits)) ?? [:] }

    /// One reference: a header that a key set knows is handed out with each token of its key.
    private final class Contents: Sendable {
        let algorithm: JWSAlgorithm
        let keyID: String?
        let type: String?
        let contentType: String?
        let text: [UInt8]

        init(_ algorithm: JWSAlgorithm, keyID: String?, type: String?, contentType: String?, text: [UInt8]) {
            self.algorithm = algorithm
            self.keyID = keyID
            self.type = type
            self.contentType = contentType
            self.text = text
        }
    }

    private let contents: Contents

    /// Depth and members a header may have.
    static let limits = JSONLimits(depth: 8, members: 64, bytes: 8 << 10)

    /// Refuses `crit` (this library understands no extension; RFC 7515, section 4.1.11), `b64` (RFC 7797), and the
    /// members that make the token a JWE (RFC 7516) or compressed.
    init(parsing text: [UInt8]) throws(JOSEError) {
        guard let header = Self.outlined(text) else {
            try self.init(reading: text)
            return
        }
        guard JWSAlgorithm.allKnown.contains(header.algorithm) else { throw JOSEError(.algorithmNotAllowed) }
        self = header
    }

    private init(reading text: [UInt8]) throws(JOSEError) {
        let members: JSONObject
        do {
            members = try JSONObject(parsing: text, limits: Self.limits)
        } catch {
            throw JOSEError(.malformed, "the header is not a JSON object: \(error)")
        }
        var algorithm: JWSAlgorithm?
        var keyID: String?
        var type: String?
        var contentType: String?
        for member in members.members {
            switch member.name {
            case "alg": algorithm = JWSAlgorithm(rawValue: try Self.string(member))
            case "kid": keyID = try Self.string(member)
            case "typ": type = try Self.string(member)
            case "cty": contentType = try Self.string(member)
            case "crit", "b64", "enc", "zip": throw JOSEError(.malformed, "\(member.name) is not supported")
            default: break
            }
        }
        guard let algorithm else { throw JOSEError(.malformed, "no alg") }
        guard JWSAlgorithm.allKnown.contains(algorithm) else { throw JOSEError(.algorithmNotAllowed) }
        self.init(algorithm, keyID: keyID, type: type, contentType: contentType, text: text)
    }

    private init(_ algorithm: JWSAlgorithm, keyID: String?, type: String?, contentType: String?, text: [UInt8]) {
        contents = Contents(algorithm, keyID: keyID, type: type, contentType: contentType, text: text)
    }

    /// The header of a plain text; `nil` where ``init(reading:)`` is to decide, or to say what is wrong.
    private static func outlined(_ text: [UInt8]) -> JOSEHeader? {
        guard text.count <= limits.bytes else { return nil }
        return JSONOutline.withMembers(of: text, depth: limits.depth) { bytes, members in
            var algorithm: String?
            var keyID: String?
            var type: String?
            var contentType: String?
            for member in members {
                let name = member.name
                guard name.count == 3 || name.count == 4 else { continue }
                if bytes.holds("alg", in: name) {
                    guard let text = bytes.plainString(in: member.value) else { return nil }
                    algorithm = text
                } else if bytes.holds("kid", in: name) {
                    guard let text = bytes.plainString(in: member.value) else { return nil }
                    keyID = text
                } else if bytes.holds("typ", in: name) {
                    guard let text = bytes.plainString(in: member.value) else { return nil }
                    type = text
                } else if bytes.holds("cty", in: name) {
                    guard let text = bytes.plainString(in: member.value) else { return nil }
                    contentType = text
                } else if bytes.holds("crit", in: name) || bytes.holds("b64", in: name)
                    || bytes.holds("enc", in: name) || bytes.holds("zip", in: name)
                {
                    return nil
                }
            }
            return algorithm.map {
                JOSEHeader(
                    JWSAlgorithm(rawValue: $0), keyID: keyID, type: type, contentType: contentType, text: text)
            }
        }
    }

    private static func string(_ member: JSONObject.Member) throws(JOSEError) -> String {
        guard case .string(let text) = member.value else {
            throw JOSEError(.malformed, "\(member.name) is not a string")
        }
        return text
    }
}

extension JOSEHeader {
    /// The `typ` of a token that is a JWT and nothing more (RFC 7519, section 5.1).
    static let jwt = "JWT"

    /// The header of a token to be signed, in Base64URL.
    ///
    /// - Parameter extra: further members; `alg`, `kid` and `typ` among them are ignored.
    static func encoded(algorithm: JWSAlgorithm, keyID: String?, type: String?, extra: JSONObject) -> [UInt8] {
        var members = extra
        members["alg"] = .string(algorithm.rawValue)
        members["kid"] = keyID.map(JSONValue.string)
        members["typ"] = type.map(JSONValue.string)
        return Base64URL.encodedBytes(members.serialized())
    }
}
