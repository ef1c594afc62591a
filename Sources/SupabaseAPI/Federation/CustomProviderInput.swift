// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an administrator says of a custom provider. What can't be had here is refused and not passed over.
struct CustomProviderInput: Sendable {
    let identifier: String?
    let type: String?
    private let name: String?
    private let clientID: String?
    private let secret: Secret<String>?
    private let acceptableClientIDs: [String]?
    private let scopes: [String]?
    private let issuer: String?
    private let parameters: [String: String]?
    private let isEnabled: Bool?
    private let emailOptional: Bool?
    private let skipsNonceCheck: Bool?

    /// - Throws: `validation_failed`; `bad_json` for a member of another type.
    init(_ body: Input) throws {
        identifier = try body.text("identifier")
        type = try body.text("provider_type")
        name = try body.text("name")
        clientID = try body.text("client_id")
        secret = try body.secret("client_secret")
        acceptableClientIDs = try body.texts("acceptable_client_ids")
        scopes = try body.texts("scopes")
        issuer = try body.text("issuer")
        isEnabled = try body.flag("enabled")
        emailOptional = try body.flag("email_optional")
        skipsNonceCheck = try body.flag("skip_nonce_check")
        parameters = try body.members("authorization_params").map(Self.parameters)
        guard try body.flag("pkce_enabled") != false else {
            throw WireError.validation("pkce_enabled cannot be switched off: every code is bound to a challenge")
        }
        guard try body.members("attribute_mapping")?.isEmpty ?? true else {
            throw WireError.validation("attribute_mapping is not supported")
        }
        guard try body.texts("custom_claims_allowlist")?.isEmpty ?? true else {
            throw WireError.validation("custom_claims_allowlist is not supported")
        }
        if let discovery = try body.text("discovery_url"), let issuer {
            let usual =
                (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
            guard discovery == usual else {
                throw WireError.validation("discovery_url must be where the issuer's is: \(usual)")
            }
        }
        for member in ["authorization_url", "token_url", "userinfo_url", "jwks_uri"] {
            guard try body.text(member) == nil else {
                throw WireError.validation("\(member) is not supported: providers are asked by discovery")
            }
        }
    }

    /// What a new provider needs, in the platform's order.
    func requireComplete() throws(WireError) {
        switch type {
        case "oidc": break
        case "oauth2": throw .validation("Only OIDC providers are supported")
        default: throw .validation("provider_type must be either 'oauth2' or 'oidc'")
        }
        guard let identifier else { throw .validation("identifier is required") }
        guard identifier.hasPrefix(ProviderName.customPrefix) else {
            throw .validation("identifier must start with 'custom:' prefix, e.g. 'custom:\(identifier)'")
        }
        for (member, value) in [("name", name), ("client_id", clientID), ("client_secret", secret.map { _ in "" })]
        where value == nil { throw .validation("\(member) is required") }
        guard issuer != nil else { throw .validation("issuer is required for OIDC providers") }
    }

    func apply(to provider: inout IdentityProvider) {
        provider.displayName = name ?? provider.displayName
        let first = clientID ?? provider.clientIDs.first ?? ""
        let others = acceptableClientIDs ?? Array(provider.clientIDs.dropFirst())
        provider.clientIDs = [first] + others.filter { $0 != first }
        provider.secret = secret ?? provider.secret
        if let scopes { provider.scopes = (scopes.contains("openid") ? [] : ["openid"]) + scopes }
        provider.issuer = issuer ?? provider.issuer
        provider.isEnabled = isEnabled ?? provider.isEnabled
        provider.emailOptional = emailOptional ?? provider.emailOptional
        provider.skipsNonceCheck = skipsNonceCheck ?? provider.skipsNonceCheck
        if let parameters {
            var keeping = ProviderKeeping(provider)
            keeping.authorizationParameters = parameters
            keeping.write(to: &provider)
        }
    }

    private static let reserved: Set<String> = [
        "client_id", "client_secret", "redirect_uri", "response_type", "state", "code_challenge",
        "code_challenge_method", "code_verifier", "nonce", "scope", "request", "request_uri", "response_mode",
    ]

    private static func parameters(_ members: JSONObject) throws(WireError) -> [String: String] {
        var parameters: [String: String] = [:]
        for member in members.members {
            guard !reserved.contains(member.name.lowercased()) else {
                throw .validation("Cannot override reserved OAuth parameter: \(member.name)")
            }
            guard let text = member.value.stringValue else {
                throw .validation("Authorization parameter \"\(member.name)\" must be a string")
            }
            parameters[member.name] = text
        }
        guard parameters.count <= 16, parameters.allSatisfy({ $0.key.utf8.count <= 64 && $0.value.utf8.count <= 512 })
        else { throw .validation("too many authorization parameters") }
        return parameters
    }
}
