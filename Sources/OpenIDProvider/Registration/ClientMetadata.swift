// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// What a program says of itself as a client, and what it is told that it is registered with (RFC 7591, section 2;
/// OpenID Connect Dynamic Client Registration 1.0, section 2).
///
/// What would change what the client gets, or where this server sends something, and is not done here, is refused by
/// name. What only describes the client is kept and given back, shown to nobody and never fetched. What no standard
/// names is passed over, as both standards demand: the answer says what is registered.
struct ClientMetadata: Sendable {
    static let limits = JSONLimits(depth: 8, members: 200, bytes: 32 << 10)
    private static let maximumText = 1024
    private static let maximumContacts = 10

    /// Each asks for something that is not done. One that says no, or nothing, asks for nothing.
    private static let refused: Set<String> = [
        "jwks_uri", "sector_identifier_uri", "request_uris", "initiate_login_uri", "software_statement",
        "backchannel_logout_uri", "frontchannel_logout_uri", "default_max_age", "require_auth_time",
        "default_acr_values", "userinfo_signed_response_alg", "userinfo_encrypted_response_alg",
        "userinfo_encrypted_response_enc", "id_token_encrypted_response_alg", "id_token_encrypted_response_enc",
        "request_object_encryption_alg", "request_object_encryption_enc", "token_endpoint_auth_signing_alg",
        "authorization_signed_response_alg", "tls_client_certificate_bound_access_tokens",
        "tls_client_auth_subject_dn", "tls_client_auth_san_dns",
        "tls_client_auth_san_uri", "tls_client_auth_san_ip", "tls_client_auth_san_email",
        "introspection_signed_response_alg", "backchannel_token_delivery_mode", "authorization_details_types",
    ]
    private static let places = ["client_uri", "logo_uri", "policy_uri", "tos_uri"]
    private static let texts = ["software_id", "software_version"]

    let json: JSONObject

    init(_ json: JSONObject) { self.json = json }

    // MARK: Reading

    /// - Throws: `invalid_client_metadata`, `invalid_redirect_uri`.
    func metadata() throws(OAuthError) -> RegisterClient.Metadata {
        for member in json.members where Self.refused.contains(member.name) && !Self.asksForNothing(member.value) {
            throw .invalidClientMetadata("\(member.name) is not supported")
        }
        guard try text("subject_type") ?? "public" == "public" else {
            throw .invalidClientMetadata("subject_type must be public")
        }
        var registration = ClientRegistration()
        registration.name = try text("client_name")
        registration.redirectURIs = try list("redirect_uris") ?? []
        registration.postLogoutURIs = try list("post_logout_redirect_uris") ?? []
        registration.authentication = try choice("token_endpoint_auth_method") ?? .secretBasic
        registration.idTokenAlgorithm = try choice("id_token_signed_response_alg") ?? .rs256
        registration.scopes = try text("scope")?.split(separator: " ").map(String.init)
        registration.requiresPushedRequests = try flag("require_pushed_authorization_requests") ?? false
        registration.requiresSignedRequests = try flag("require_signed_request_object") ?? false
        registration.requestAlgorithm = try choice("request_object_signing_alg").map { .set($0) } ?? .keep
        registration.isDPoPBound = try flag("dpop_bound_access_tokens") ?? false
        if let keys = json["jwks"], keys != .null {
            guard let object = keys.objectValue else { throw .invalidClientMetadata("jwks is not a JWK Set") }
            registration.keys = .set(object)
        }
        registration.grants = try grants()
        return RegisterClient.Metadata(registration: registration, attributes: try attributes())
    }

    private func grants() throws(OAuthError) -> [ClientAuthorization.Grant] {
        let named = try list("grant_types") ?? [GrantType.authorizationCode.rawValue]
        // One that nobody has here may be left out (RFC 7591, section 2); the answer says what there is.
        let grants = named.compactMap { GrantType(rawValue: $0)?.registered }
        guard !grants.isEmpty else { throw .invalidClientMetadata("grant_types has none that is supported") }
        let types = try list("response_types") ?? (grants.contains(.code) ? [ProviderMetadata.responseType] : [])
        guard types.allSatisfy({ $0 == ProviderMetadata.responseType }), types.isEmpty || grants.contains(.code) else {
            throw .invalidClientMetadata("response_types must be code, with the grant authorization_code")
        }
        return grants
    }

    /// A program that says it is a web application may name places of its user's machine, as programs do: which places
    /// are good is what the operator's token says.
    private func attributes() throws(OAuthError) -> JSONObject {
        guard try ["web", "native", nil].contains(text("application_type")) else {
            throw .invalidClientMetadata("application_type must be web or native")
        }
        var attributes = JSONObject()
        for name in Self.places {
            guard let place = try text(name) else { continue }
            guard place.hasPrefix("https://") else { throw .invalidClientMetadata("\(name) is not https") }
            attributes[name] = .string(place)
        }
        for name in Self.texts + ["application_type"] { attributes[name] = try text(name).map { .string($0) } }
        if let contacts = try list("contacts") {
            guard contacts.count <= Self.maximumContacts else { throw .invalidClientMetadata("too many contacts") }
            attributes["contacts"] = .array(contacts.map { .string($0) })
        }
        return attributes
    }

    private func text(_ name: String) throws(OAuthError) -> String? {
        switch json[name] {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= Self.maximumText: return text
        default: throw .invalidClientMetadata("\(name) is not a text, or too long")
        }
    }

    private func flag(_ name: String) throws(OAuthError) -> Bool? {
        switch json[name] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        default: throw .invalidClientMetadata("\(name) is neither true nor false")
        }
    }

    private func list(_ name: String) throws(OAuthError) -> [String]? {
        switch json[name] {
        case nil, .null: return nil
        case .array(let elements):
            var list: [String] = []
            for element in elements {
                guard let text = element.stringValue, text.utf8.count <= Self.maximumText else {
                    throw .invalidClientMetadata("\(name) is not a list of texts")
                }
                list.append(text)
            }
            return list
        default: throw .invalidClientMetadata("\(name) is not a list of texts")
        }
    }

    private func choice<Value: RawRepresentable>(_ name: String) throws(OAuthError) -> Value?
    where Value.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw .invalidClientMetadata("\(name) has a value that is not supported")
        }
        return value
    }

    private static func asksForNothing(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool(false): true
        case .array(let elements): elements.isEmpty
        case .string(let text): text.isEmpty
        default: false
        }
    }

    // MARK: Writing

    /// What a client is registered with (RFC 7591, section 3.2.1; RFC 7592, section 3).
    ///
    /// - Parameters:
    ///   - token: its registration access token.
    ///   - place: where it is changed.
    static func encode(_ client: Client, token: String, place: String) -> JSONObject {
        let own = client.settings.authorization
        var json: JSONObject = [
            "client_id": .string(client.id.rawValue), "client_id_issued_at": .integer(client.createdAt.seconds),
            "registration_access_token": .string(token), "registration_client_uri": .string(place),
            "client_name": .string(client.name), "redirect_uris": list(own.redirectURIs),
            "post_logout_redirect_uris": list(own.signOutURIs),
            "grant_types": list(
                own.grants.compactMap { grant in GrantType.allCases.first { $0.registered == grant }?.rawValue }),
            "response_types": list(own.grants.contains(.code) ? [ProviderMetadata.responseType] : []),
            "scope": .string(own.scopes.joined(separator: " ")), "subject_type": "public",
            "id_token_signed_response_alg": .string(own.idTokenAlgorithm.rawValue),
            "require_pushed_authorization_requests": .bool(own.requiresPushedRequests),
            "dpop_bound_access_tokens": .bool(own.isDPoPBound),
        ]
        json["token_endpoint_auth_method"] = own.authentication.map { .string($0.rawValue) }
        json["require_signed_request_object"] = .bool(own.requiresSignedRequests)
        json["request_object_signing_alg"] = own.requestAlgorithm.map { .string($0.rawValue) }
        json["jwks"] = own.keys.map { .object($0) }
        if let secret = client.secrets.first?.text {
            json["client_secret"] = .string(secret.reveal())
            json["client_secret_expires_at"] = 0
        }
        for member in client.settings.attributes.members where json[member.name] == nil {
            json[member.name] = member.value
        }
        return json
    }

    private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension OAuthError {
    /// RFC 7591, section 3.2.2.
    static func invalidClientMetadata(_ description: String) -> Self {
        Self(.badRequest, "invalid_client_metadata", description)
    }
}
