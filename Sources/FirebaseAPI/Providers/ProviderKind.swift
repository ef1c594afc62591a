// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The platform's three kinds of other providers, as their configurations are called and what they must say.
enum ProviderKind: String, CaseIterable, Sendable {
    case openID = "oauthIdpConfigs"
    case saml = "inboundSamlConfigs"
    case known = "defaultSupportedIdpConfigs"

    /// The parameter that names a new one.
    var parameter: String {
        switch self {
        case .openID: "oauthIdpConfigId"
        case .saml: "inboundSamlConfigId"
        case .known: "idpId"
        }
    }

    /// Every member that a configuration may have: those of inner objects by their path.
    var members: Set<String> {
        switch self {
        case .openID:
            [
                "displayName", "enabled", "clientId", "issuer", "clientSecret", "responseType.idToken",
                "responseType.code",
            ]
        case .saml:
            [
                "displayName", "enabled", "idpConfig.idpEntityId", "idpConfig.ssoUrl", "idpConfig.idpCertificates",
                "idpConfig.signRequest", "spConfig.spEntityId", "spConfig.callbackUri",
            ]
        case .known:
            [
                "enabled", "clientId", "clientSecret", "appleSignInConfig.bundleIds",
                "appleSignInConfig.codeFlowConfig.teamId", "appleSignInConfig.codeFlowConfig.keyId",
                "appleSignInConfig.codeFlowConfig.privateKey",
            ]
        }
    }

    /// - Throws: `INVALID_CONFIG_ID`.
    func requireName(_ text: String) throws(WireError) {
        let prefix =
            switch self {
            case .openID: "oidc."
            case .saml: "saml."
            case .known: ""
            }
        guard text.hasPrefix(prefix), (prefix.utf8.count + 1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ byte in
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            })
        else { throw WireError("INVALID_CONFIG_ID") }
    }

    /// Holds a whole configuration to what its kind needs.
    ///
    /// - Throws: the platform's code for what is missing, or `INVALID_CONFIG`.
    func require(_ config: Input) throws {
        _ = try config.flag("enabled")
        guard try (config.text("displayName") ?? "").utf8.count <= 256 else {
            throw WireError("INVALID_CONFIG", "displayName is too long.")
        }
        switch self {
        case .openID:
            guard try config.given("clientId") != nil else { throw WireError("MISSING_OAUTH_CLIENT_ID") }
            guard let issuer = try config.given("issuer") else { throw WireError("MISSING_ISSUER") }
            try Self.requireURL(issuer, "issuer")
            let type = try config.members("responseType")
            let (code, token) = (try type?.flag("code") ?? false, try type?.flag("idToken") ?? false)
            // Both is what the platform does not take; neither is the token alone.
            guard !(code && token) else { throw WireError("INVALID_OAUTH_RESPONSETYPE") }
            guard try !code || config.given("clientSecret") != nil else {
                throw WireError("MISSING_OAUTH_CLIENT_SECRET")
            }
        case .saml:
            guard let provider = try config.members("idpConfig") else { throw WireError("MISSING_CONFIG", "idpConfig") }
            guard try provider.given("idpEntityId") != nil, let url = try provider.given("ssoUrl") else {
                throw WireError("MISSING_CONFIG", "idpEntityId and ssoUrl are needed.")
            }
            try Self.requireURL(url, "ssoUrl")
            _ = try provider.flag("signRequest")
            let certificates = try provider.objects("idpCertificates")
            guard (1...10).contains(certificates.count) else {
                throw WireError("INVALID_CONFIG", "1 to 10 idpCertificates are needed.")
            }
            for certificate in certificates {
                guard let text = try certificate.given("x509Certificate"), text.utf8.count <= 8192 else {
                    throw WireError("INVALID_CONFIG", "x509Certificate is needed.")
                }
            }
            guard let own = try config.members("spConfig"), try own.given("spEntityId") != nil else {
                throw WireError("MISSING_SAML_RELYING_PARTY_CONFIG")
            }
            if let url = try own.given("callbackUri") { try Self.requireURL(url, "callbackUri") }
        case .known:
            guard try config.given("clientId") != nil else { throw WireError("MISSING_OAUTH_CLIENT_ID") }
        }
    }

    private static func requireURL(_ text: String, _ name: String) throws(WireError) {
        let scheme = ["https://", "http://"].first { text.hasPrefix($0) }
        guard let scheme, text.utf8.count <= 2048, text.utf8.count > scheme.utf8.count,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw WireError("INVALID_CONFIG", "\(name) must be a URL.") }
    }
}
