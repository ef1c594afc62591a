// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What is said of a client as it is registered or changed (RFC 7591, section 2).
struct OAuthClientInput {
    private static let maximumURILength = 2048
    private static let maximumRedirects = 10

    let redirectURIs: [String]?
    let grants: [ClientAuthorization.Grant]?
    /// Empty to have it called by where it sends users.
    let name: String?
    let uri: String?
    let logo: String?
    let method: ClientAuthenticationMethod?
    private let type: String?

    /// - Throws: `validation_failed`, `bad_json`.
    init(_ body: Input) throws(WireError) {
        redirectURIs = try body.texts("redirect_uris")
        if let redirectURIs {
            guard !redirectURIs.isEmpty else { throw .validation("redirect_uris cannot be empty") }
            guard redirectURIs.count <= Self.maximumRedirects else {
                throw .validation("redirect_uris cannot exceed \(Self.maximumRedirects) items")
            }
        }
        grants = try Self.grants(body.texts("grant_types"))
        name = try body.textOrEmpty("client_name")
        uri = try Self.link("client_uri", of: body)
        logo = try Self.link("logo_uri", of: body)
        method = try Self.method(body.text("token_endpoint_auth_method"))
        type = try body.text("client_type")
    }

    /// Whether nothing is said that could be changed.
    var isEmpty: Bool {
        redirectURIs == nil && grants == nil && name == nil && uri == nil && logo == nil && method == nil
    }

    /// - Throws: `validation_failed`.
    func newClient(_ type: OAuthClient.RegistrationType) throws(WireError) -> ClientRegistration {
        guard let redirectURIs else { throw .validation("redirect_uris is required") }
        var registration = ClientRegistration()
        registration.name = shownName(redirectURIs)
        registration.redirectURIs = redirectURIs
        registration.grants = grants ?? [.code, .refreshToken]
        registration.authentication = try newMethod()
        registration.scopes = OAuthScope.all
        registration.consent = .remembered
        registration.requiresPKCE = true
        registration.rotatesRefreshTokens = true
        registration.attributes = OAuthClient.attributes(type, uri: kept(uri), logo: kept(logo))
        return registration
    }

    /// - Throws: `validation_failed` for a way that the client's kind has not.
    func change(of former: OAuthClient) throws(WireError) -> ClientRegistration {
        var registration = ClientRegistration()
        registration.name = name.map { _ in shownName(redirectURIs ?? former.client.settings.authorization.redirectURIs)
        }
        registration.redirectURIs = redirectURIs
        registration.grants = grants
        if let method {
            guard method.usesSecret == former.client.isConfidential else {
                throw .validation("token_endpoint_auth_method is not valid for this client_type")
            }
            registration.authentication = method
        }
        registration.attributes = OAuthClient.attributes(
            former.type, uri: uri == nil ? former.uri : kept(uri), logo: logo == nil ? former.logo : kept(logo))
        return registration
    }

    /// Users are asked by a name: one that says none is called by the place that they are sent to.
    private func shownName(_ redirectURIs: [String]) -> String {
        if let name, !name.isEmpty { return name }
        return String((redirectURIs.first ?? "").prefix(128))
    }

    private func kept(_ link: String?) -> String? { link.flatMap { $0.isEmpty ? nil : $0 } }

    private func newMethod() throws(WireError) -> ClientAuthenticationMethod {
        switch type {
        case nil: return method ?? .secretBasic
        case "public":
            guard method ?? .publicClient == .publicClient else { throw Self.inconsistent }
            return .publicClient
        case "confidential":
            guard method != .publicClient else { throw Self.inconsistent }
            return method ?? .secretBasic
        default: throw .validation("client_type must be 'public' or 'confidential'")
        }
    }

    private static let inconsistent = WireError.validation(
        "client_type is inconsistent with token_endpoint_auth_method")

    private static func grants(_ names: [String]?) throws(WireError) -> [ClientAuthorization.Grant]? {
        guard let names else { return nil }
        let grants = names.compactMap(ClientAuthorization.Grant.init)
        guard !grants.isEmpty, grants.count == names.count, Set(grants).isSubset(of: [.code, .refreshToken]) else {
            throw .validation("grant_types must only contain 'authorization_code' and/or 'refresh_token'")
        }
        return grants
    }

    private static func method(_ name: String?) throws(WireError) -> ClientAuthenticationMethod? {
        guard let name else { return nil }
        guard let method = ClientAuthenticationMethod(rawValue: name), method != .privateKey else {
            throw .validation(
                "token_endpoint_auth_method must be one of: [none client_secret_basic client_secret_post]")
        }
        return method
    }

    /// What a page shows to a user as a link or an image: a place of the web, and no script.
    private static func link(_ name: String, of body: Input) throws(WireError) -> String? {
        guard let text = try body.textOrEmpty(name) else { return nil }
        if text.isEmpty { return text }
        guard text.utf8.count <= maximumURILength else {
            throw .validation("\(name) cannot exceed \(maximumURILength) characters")
        }
        guard ["https://", "http://"].contains(where: text.hasPrefix), text.utf8.allSatisfy({ (33...126).contains($0) })
        else { throw .validation("\(name) must be a valid URL") }
        return text
    }
}
