// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A client of the provider as an operator is shown it, here and on the command line, and as it is written.
public enum ClientDocument {
    /// - Parameter secret: one that was just made; it is not shown again.
    public static func encode(_ client: Client, secret: Secret<String>? = nil) -> JSONObject {
        let settings = client.settings
        let authorization = settings.authorization
        var json: JSONObject = [
            "clientId": .string(client.id.rawValue), "name": .string(client.name), "public": .bool(client.isPublic),
            "authMethods": texts(ClientAuthenticationMethod.allCases.filter(client.authenticates).map(\.rawValue)),
            "jwks": authorization.keys.map { .object($0) } ?? .null,
            "grants": texts(authorization.grants.map(\.rawValue)), "scopes": texts(authorization.scopes),
            "resources": texts(authorization.resources),
            "redirectUris": texts(authorization.redirectURIs), "postLogoutUris": texts(authorization.signOutURIs),
            "backchannelLogoutUri": text(authorization.backchannelLogoutURI), "homeUri": text(authorization.homeURI),
            "consent": .string(authorization.consent.rawValue),
            "idTokenAlgorithm": .string(authorization.idTokenAlgorithm.rawValue),
            "requiresPkce": .bool(client.requiresPKCE),
            "requiresPushedRequests": .bool(authorization.requiresPushedRequests),
            "requiresSignedRequests": .bool(authorization.requiresSignedRequests),
            "requestObjectAlgorithm": text(authorization.requestAlgorithm?.rawValue),
            "dpopBoundAccessTokens": .bool(authorization.isDPoPBound), "profile": text(authorization.profile?.rawValue),
            "passkeyOrigins": texts(settings.passkeyOrigins),
            "rotatesRefreshTokens": .bool(settings.rotatesRefreshTokens),
            "accessTokenLifetime": number(settings.accessTokenLifetime),
            "idTokenLifetime": number(settings.idTokenLifetime),
            "refreshTokenLifetime": number(settings.refreshTokenLifetime),
            "secrets": .array(
                client.secrets.map {
                    ["id": .string($0.id.rawValue), "createdAt": .string($0.createdAt.rfc3339)]
                }),
            "createdAt": .string(client.createdAt.rfc3339), "updatedAt": .string(client.updatedAt.rfc3339),
        ]
        if let secret { json["clientSecret"] = .string(secret.reveal()) }
        return json
    }

    /// What a request says of a client. A member that is left out stays; a null empties what may be empty.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` naming the member, for an unknown one too.
    static func registration(_ json: JSONObject) throws(AuthError) -> ClientRegistration {
        var registration = ClientRegistration()
        for member in json.members {
            let reader = MemberReader(name: member.name, value: member.value)
            switch member.name {
            case "name": registration.name = try reader.text()
            case "redirectUris": registration.redirectURIs = try reader.texts()
            case "postLogoutUris": registration.postLogoutURIs = try reader.texts()
            case "backchannelLogoutUri": registration.backchannelLogoutURI = try reader.change { $0.stringValue }
            case "homeUri": registration.homeURI = try reader.change { $0.stringValue }
            case "authMethod": registration.authentication = try reader.choice()
            case "jwks": registration.keys = try reader.change { $0.objectValue }
            case "grants": registration.grants = try reader.choices()
            case "scopes": registration.scopes = try reader.texts()
            case "resources": registration.resources = try reader.texts()
            case "consent": registration.consent = try reader.choice()
            case "idTokenAlgorithm": registration.idTokenAlgorithm = try reader.choice()
            case "requiresPkce": registration.requiresPKCE = try reader.flag()
            case "requiresPushedRequests": registration.requiresPushedRequests = try reader.flag()
            case "requiresSignedRequests": registration.requiresSignedRequests = try reader.flag()
            case "requestObjectAlgorithm":
                registration.requestAlgorithm = try reader.change {
                    $0.stringValue.flatMap(ClientAuthorization.RequestAlgorithm.init)
                }
            case "dpopBoundAccessTokens": registration.isDPoPBound = try reader.flag()
            case "profile":
                registration.profile = try reader.change { $0.stringValue.flatMap(ClientAuthorization.Profile.init) }
            case "passkeyOrigins": registration.passkeyOrigins = try reader.texts()
            case "rotatesRefreshTokens": registration.rotatesRefreshTokens = try reader.flag()
            case "accessTokenLifetime": registration.accessTokenLifetime = try reader.change { $0.integerValue }
            case "idTokenLifetime": registration.idTokenLifetime = try reader.change { $0.integerValue }
            case "refreshTokenLifetime": registration.refreshTokenLifetime = try reader.change { $0.integerValue }
            default: throw AuthError(.invalidRequest, reason: "unknown member", field: member.name)
            }
        }
        return registration
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    private static func number(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    private static func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
}
