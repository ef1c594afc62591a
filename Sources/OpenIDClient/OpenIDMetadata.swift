// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a provider says of itself (OpenID Connect Discovery 1.0, section 3).
struct OpenIDMetadata: Sendable {
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var userInfoEndpoint: String?
    var revocationEndpoint: String?
    var endSessionEndpoint: String?
    /// RFC 9207, section 3.
    var sendsIssuer: Bool

    private static let limits = JSONLimits(depth: 16, members: 500, bytes: 256 << 10)

    /// - Throws: `unavailable` for what is no such document, or another issuer's, which must be the same octet by octet
    ///   (section 4.3).
    init(reading response: HTTPResponse, issuer: String) throws(AuthError) {
        guard response.status == 200, let members = try? JSONObject(parsing: response.body, limits: Self.limits) else {
            throw AuthError(noAnswer: response)
        }
        guard members["issuer"]?.stringValue?.utf8.elementsEqual(issuer.utf8) == true else {
            throw AuthError(.unavailable, reason: "the metadata are another issuer's")
        }
        guard let authorization = Self.address("authorization_endpoint", members, issuer),
            let token = Self.address("token_endpoint", members, issuer)
        else { throw AuthError(.unavailable, reason: "the metadata name no endpoints") }
        authorizationEndpoint = authorization
        tokenEndpoint = token
        userInfoEndpoint = Self.address("userinfo_endpoint", members, issuer)
        revocationEndpoint = Self.address("revocation_endpoint", members, issuer)
        endSessionEndpoint = Self.address("end_session_endpoint", members, issuer)
        sendsIssuer = members["authorization_response_iss_parameter_supported"]?.boolValue == true
    }

    /// Never in the clear, unless the issuer itself is asked so, as on a development server.
    private static func address(_ name: String, _ members: JSONObject, _ issuer: String) -> String? {
        guard let text = members[name]?.stringValue, text.utf8.count <= 2048 else { return nil }
        return text.hasPrefix("https://") || (issuer.hasPrefix("http://") && text.hasPrefix("http://")) ? text : nil
    }
}
