// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import TokenVerifier

/// What a provider publishes of itself (OpenID Connect Discovery 1.0, section 3; RFC 8414, section 2), as far as it is
/// believed: where its endpoints are and what they take, never with what it signs.
struct ProviderMetadata: Sendable, Hashable {
    var issuer: String
    var authorization: String
    var token: String
    var keys: String
    var userInfo: String?
    var revocation: String?
    /// `nil` where it does not say, which means ``ClientAuthentication/basic``.
    var authenticationMethods: Set<String>?
    /// `nil` where it does not say, as many do that know S256.
    var challengeMethods: Set<String>?
    /// Whether each answer names its issuer (RFC 9207, section 3).
    var answersWithIssuer: Bool

    /// Where the metadata of `issuer` are (Discovery 1.0, section 4).
    ///
    /// - Throws: ``OutwardFailure/addressRefused``.
    static func address(of issuer: String) throws(OutwardFailure) -> String {
        guard !issuer.contains("?") else { throw .addressRefused }
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        return try checked(base + "/.well-known/openid-configuration").text
    }

    /// Only what the issuer itself says counts (section 4.3), and an issuer elsewhere names no address of this machine.
    ///
    /// - Throws: ``OutwardFailure/malformed`` for what is no metadata, or another issuer's.
    init(_ object: JSONObject, of issuer: String) throws(OutwardFailure) {
        guard object["issuer"]?.stringValue == issuer else { throw .malformed }
        self.issuer = issuer
        let home = try Self.checked(issuer)
        authorization = try Self.endpoint("authorization_endpoint", object, home)
        token = try Self.endpoint("token_endpoint", object, home)
        keys = try Self.endpoint("jwks_uri", object, home)
        userInfo = try Self.optionalEndpoint("userinfo_endpoint", object, home)
        revocation = try Self.optionalEndpoint("revocation_endpoint", object, home)
        authenticationMethods = Self.words("token_endpoint_auth_methods_supported", object)
        challengeMethods = Self.words("code_challenge_methods_supported", object)
        answersWithIssuer = object["authorization_response_iss_parameter_supported"]?.boolValue ?? false
    }

    private static func endpoint(
        _ name: String, _ object: JSONObject, _ home: KeyAddress
    ) throws(OutwardFailure) -> String {
        guard let endpoint = try optionalEndpoint(name, object, home) else { throw .malformed }
        return endpoint
    }

    private static func optionalEndpoint(
        _ name: String, _ object: JSONObject, _ home: KeyAddress
    ) throws(OutwardFailure) -> String? {
        guard let value = object[name], !value.isNull else { return nil }
        guard let text = value.stringValue, text.utf8.count <= 2048 else { throw .malformed }
        let address = try checked(text)
        guard home.isLoopback || !address.isLoopback else { throw .addressRefused }
        return text
    }

    private static func checked(_ url: String) throws(OutwardFailure) -> KeyAddress {
        do {
            return try KeyAddress(url)
        } catch {
            throw .addressRefused
        }
    }

    private static func words(_ name: String, _ object: JSONObject) -> Set<String>? {
        (object[name]?.arrayValue).map { Set($0.compactMap(\.stringValue)) }
    }
}
