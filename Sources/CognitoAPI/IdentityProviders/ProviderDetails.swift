// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `ProviderDetails` and its kin: how an identity provider is configured, in the service's words for each type.
struct ProviderDetails: Sendable {
    static let types = ["SAML", "Facebook", "Google", "LoginWithAmazon", "SignInWithApple", "OIDC"]
    private static let kinds: KeyValuePairs<String, IdentityProvider.Kind> = [
        "Google": .google, "Facebook": .facebook, "SignInWithApple": .apple, "OIDC": .openID,
    ]
    private static let shape = WireShape.map(
        keys: Member("ProviderDetails", 1...131_072), .text(0...131_072), 0...50)
    private static let mappingShape = WireShape.map(
        keys: Member("AttributeMapping", 1...32), .text(0...131_072), 0...50)
    private static let identifierShape = WireShape.list(.text(1...40, .idpIdentifier), 0...50)

    /// Those that are kept and shown, and change nothing here: they are how this server asks anyway.
    private static let kept = [
        "attributes_request_method", "attributes_url_add_attributes", "api_version", "token_request_method",
    ]

    private var details: [String: String]?
    private var mapping: [String: String]?
    private var identifiers: [String]?
    private let kind: IdentityProvider.Kind

    /// - Throws: `InvalidParameterException` for a type that is not there.
    static func kind(_ type: String) throws(WireError) -> IdentityProvider.Kind {
        guard let kind = kinds.first(where: { $0.key == type })?.value else {
            throw .parameter("Identity providers of type \(type) are not supported by this server.")
        }
        return kind
    }

    /// Of one that was configured otherwise, and for which the service has no type: how it is known to users.
    static func type(of provider: IdentityProvider) -> String {
        kinds.first { $0.value == provider.kind }?.key ?? "OIDC"
    }

    static func identifiers(of provider: IdentityProvider) -> [String] {
        provider.kept(by: CognitoDialect.name)["IdpIdentifiers"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    // MARK: Reading

    /// - Parameter isNew: whether whatever the type needs must be there.
    /// - Throws: `InvalidParameterException`.
    init(_ input: Input, kind: IdentityProvider.Kind, isNew: Bool) throws(WireError) {
        self.kind = kind
        details = try Self.texts(Self.shape, "ProviderDetails", input)
        mapping = try Self.texts(Self.mappingShape, "AttributeMapping", input)
        identifiers = try Self.identifierShape.read("IdpIdentifiers", of: input)?.arrayValue?.compactMap(\.stringValue)
        if isNew, details == nil { throw Input.missing("ProviderDetails") }
        guard let details else { return }
        let known = Self.names(of: kind) + Self.kept
        if let other = details.keys.sorted().first(where: { !known.contains($0) }) {
            throw .parameter("\(Input.excerpt(other)) is not supported in ProviderDetails by this server.")
        }
        var needed = ["client_id", "authorize_scopes"]
        if kind == .openID { needed.append("oidc_issuer") }
        if kind == .apple, isNew { needed += ["team_id", "key_id", "private_key"] }
        for name in needed where details[name, default: ""].isEmpty {
            throw .parameter("Missing required parameter \(name) in ProviderDetails.")
        }
    }

    private static func names(of kind: IdentityProvider.Kind) -> [String] {
        let common = ["client_id", "authorize_scopes"]
        switch kind {
        case .apple: return common + ["team_id", "key_id", "private_key"]
        case .openID:
            return common + [
                "client_secret", "oidc_issuer", "authorize_url", "token_url", "attributes_url", "jwks_uri",
            ]
        default: return common + ["client_secret"]
        }
    }

    private static func texts(
        _ shape: WireShape, _ name: String, _ input: Input
    ) throws(WireError) -> [String: String]? {
        guard let members = try shape.read(name, of: input)?.objectValue?.members else { return nil }
        return Dictionary(
            members.compactMap { member in member.value.stringValue.map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: Writing

    func apply(to provider: inout IdentityProvider) {
        if let details {
            func value(_ name: String) -> String? { details[name].flatMap { $0.isEmpty ? nil : $0 } }
            provider.clientIDs = value("client_id").map { [$0] } ?? []
            provider.scopes = (value("authorize_scopes") ?? "").split { $0 == " " || $0 == "," }.map(String.init)
            if let secret = value("client_secret") { provider.secret = Secret(secret) }
            if let key = value("private_key") { provider.secret = Secret(Self.pem(key)) }
            if kind == .apple {
                (provider.appleTeamID, provider.appleKeyID) = (
                    value("team_id") ?? provider.appleTeamID, value("key_id") ?? provider.appleKeyID
                )
            }
            if kind == .openID {
                provider.issuer = value("oidc_issuer")
                provider.endpoints.authorization = value("authorize_url")
                provider.endpoints.token = value("token_url")
                provider.endpoints.userInfo = value("attributes_url")
                provider.endpoints.jwks = value("jwks_uri")
            }
        }
        var own = provider.kept(by: CognitoDialect.name)
        if let details {
            var rest = JSONObject()
            for name in Self.kept { rest[name] = details[name].map { .string($0) } }
            own["ProviderDetails"] = .object(rest)
        }
        if let identifiers { own["IdpIdentifiers"] = .array(identifiers.map { .string($0) }) }
        provider.keep(own, by: CognitoDialect.name)
        provider.attributeMapping = mapping ?? provider.attributeMapping
    }

    /// The service takes the key without its first and last line too.
    private static func pem(_ key: String) -> String {
        guard !key.contains("-----BEGIN") else { return key }
        let body = key.filter { !$0.isWhitespace }
        return "-----BEGIN PRIVATE KEY-----\n\(body)\n-----END PRIVATE KEY-----"
    }

    // MARK: Showing

    /// `IdentityProviderType`. A client's secret is part of it, as the service shows it; Apple's private key is not.
    static func encode(_ provider: IdentityProvider, poolID: String) -> JSONObject {
        let own = provider.kept(by: CognitoDialect.name)
        var details = JSONObject()
        func show(_ name: String, _ text: String?) { details[name] = text.map { .string($0) } }
        show("client_id", provider.clientIDs.first)
        show("authorize_scopes", provider.scopes.isEmpty ? nil : provider.scopes.joined(separator: " "))
        if provider.kind == .apple {
            show("team_id", provider.appleTeamID)
            show("key_id", provider.appleKeyID)
        } else {
            show("client_secret", provider.secret?.reveal())
        }
        show("oidc_issuer", provider.issuer)
        show("authorize_url", provider.endpoints.authorization)
        show("token_url", provider.endpoints.token)
        show("attributes_url", provider.endpoints.userInfo)
        show("jwks_uri", provider.endpoints.jwks)
        for member in own["ProviderDetails"]?.objectValue?.members ?? [] { details[member.name] = member.value }
        var mapping = JSONObject()
        for (attribute, claim) in provider.attributeMapping.sorted(by: { $0.key < $1.key }) {
            mapping[attribute] = .string(claim)
        }
        return [
            "UserPoolId": .string(poolID), "ProviderName": .string(ProviderName.shown(provider.name)),
            "ProviderType": .string(type(of: provider)), "ProviderDetails": .object(details),
            "AttributeMapping": .object(mapping), "IdpIdentifiers": own["IdpIdentifiers"] ?? [],
            "LastModifiedDate": provider.updatedAt.wireDate, "CreationDate": provider.createdAt.wireDate,
        ]
    }
}
