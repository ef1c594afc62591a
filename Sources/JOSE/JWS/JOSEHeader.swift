// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The protected header of a JWS (RFC 7515, section 4). Nothing in it is trusted: it says which key and algorithm the
/// token claims, never where a key is to be had. `jwk`, `jku`, `x5c` and `x5u` are ignored.
public struct JOSEHeader: Sendable {
    public let algorithm: JWSAlgorithm
    /// `kid`.
    public let keyID: String?
    /// `typ`.
    public let type: String?
    /// `cty`.
    public let contentType: String?
    public let members: JSONObject

    /// Depth and members a header may have.
    static let limits = JSONLimits(depth: 8, members: 64, bytes: 8 << 10)

    /// Refuses `crit` (this library understands no extension; RFC 7515, section 4.1.11), `b64` (RFC 7797), and the
    /// members that make the token a JWE (RFC 7516) or compressed.
    init(_ members: JSONObject) throws(JOSEError) {
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
        self.algorithm = algorithm
        self.keyID = keyID
        self.type = type
        self.contentType = contentType
        self.members = members
    }

    private static func string(_ member: JSONObject.Member) throws(JOSEError) -> String {
        guard case .string(let text) = member.value else {
            throw JOSEError(.malformed, "\(member.name) is not a string")
        }
        return text
    }
}
