// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A client of the platform's OAuth server, as the domain's client that it is.
struct OAuthClient: Sendable {
    /// Who registered it.
    enum RegistrationType: String {
        case dynamic
        case manual
    }

    private static let registrationType = "registration_type"

    let client: Client

    /// `nil` for a client of another dialect.
    init?(_ client: Client) {
        guard client.dialect == SupabaseDialect.name else { return nil }
        self.client = client
    }

    /// What is kept beside what every client has.
    static func attributes(_ type: RegistrationType, uri: String?, logo: String?) -> JSONObject {
        var attributes: JSONObject = [registrationType: .string(type.rawValue)]
        attributes["client_uri"] = uri.map { .string($0) }
        attributes["logo_uri"] = logo.map { .string($0) }
        return attributes
    }

    var type: RegistrationType {
        RegistrationType(rawValue: client.settings.attributes[Self.registrationType]?.stringValue ?? "") ?? .manual
    }
    var uri: String? { client.settings.attributes["client_uri"]?.stringValue }
    var logo: String? { client.settings.attributes["logo_uri"]?.stringValue }

    private var method: ClientAuthenticationMethod {
        client.settings.authorization.authentication ?? (client.isConfidential ? .secretBasic : .publicClient)
    }

    /// - Parameter secret: in the answer that makes it alone.
    func json(secret: Secret<String>? = nil) -> JSONObject {
        let authorization = client.settings.authorization
        var json: JSONObject = ["client_id": .string(client.id.rawValue)]
        json["client_secret"] = secret.map { .string($0.reveal()) }
        json["client_type"] = client.isPublic ? "public" : "confidential"
        json["redirect_uris"] = .array(authorization.redirectURIs.map { .string($0) })
        json["token_endpoint_auth_method"] = .string(method.rawValue)
        json["grant_types"] = .array(authorization.grants.map { .string($0.rawValue) })
        json["response_types"] = ["code"]
        json["client_name"] = .string(client.name)
        json["client_uri"] = uri.map { .string($0) }
        json["logo_uri"] = logo.map { .string($0) }
        json["registration_type"] = .string(type.rawValue)
        json["created_at"] = .string(client.createdAt.rfc3339)
        json["updated_at"] = .string(client.updatedAt.rfc3339)
        return json
    }

    /// As users see it.
    var details: JSONObject {
        var json: JSONObject = ["id": .string(client.id.rawValue), "name": .string(client.name)]
        json["uri"] = uri.map { .string($0) }
        json["logo_uri"] = logo.map { .string($0) }
        return json
    }
}

extension DialectCall {
    /// The client that a request names; `nil` for none, and for one that is not of this server.
    func oauthClient(_ id: String) async throws -> OAuthClient? {
        // Some of the platform's apps write identifiers in capitals.
        guard UUIDText.accepts(id),
            let client = try await accounts.clients.client(ClientID(id.lowercased()), at: now),
            client.directoryID == directory.id
        else { return nil }
        return OAuthClient(client)
    }
}
