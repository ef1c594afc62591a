// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /oauth2/register` (RFC 7591; OpenID Connect Dynamic Client Registration 1.0) by whom an operator has given a
/// token for it, and `GET`, `PUT` and `DELETE` of a client by itself (RFC 7592).
enum RegistrationEndpoint {
    /// What a client does not say when it changes itself (RFC 7592, section 2.2).
    private static let forbidden = [
        "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at",
    ]

    /// What the domain calls otherwise.
    private static let names = [
        "name": "client_name", "grants": "grant_types", "scopes": "scope", "auth_method": "token_endpoint_auth_method",
        "post_logout_uris": "post_logout_redirect_uris", "request_object_algorithm": "request_object_signing_alg",
        "requires_signed_requests": "require_signed_request_object",
    ]

    static func post(_ call: ProviderCall) async throws -> Response {
        let token = try token(of: call)
        guard let id = try await call.accounts.registerClient.directory(of: token, at: call.now),
            let directory = try await call.accounts.directories.directory(id, at: call.now)
        else { throw OAuthError.invalidToken("The initial access token is not valid") }
        var call = call
        call.flow.directory = directory
        let metadata = try ClientMetadata(call.document).metadata()
        let registered = try await said {
            try await call.accounts.registerClient(metadata, by: token, call: call.flow)
        }
        call.accounts.clients.invalidate()
        return answer(registered.client, token: registered.accessToken.reveal(), call, status: .created)
    }

    static func get(_ call: ProviderCall) async throws -> Response {
        let (id, token, call) = try await own(call)
        return answer(try await call.accounts.registerClient.get(id, by: token, call: call.flow), token: token, call)
    }

    static func put(_ call: ProviderCall) async throws -> Response {
        let (id, token, call) = try await own(call)
        let json = call.document
        // Whose token it is comes first: what is wrong with the rest is nobody else's business.
        _ = try await call.accounts.registerClient.get(id, by: token, call: call.flow)
        guard json["client_id"] == .string(id.rawValue) else {
            throw OAuthError.invalidClientMetadata("client_id is not the client's")
        }
        if let name = forbidden.first(where: { json[$0] != nil }) {
            throw OAuthError.invalidClientMetadata("\(name) is not the client's to say")
        }
        guard json["client_secret"].map({ $0.stringValue != nil }) ?? true else {
            throw OAuthError.invalidClientMetadata("client_secret is not a text")
        }
        let metadata = try ClientMetadata(json).metadata()
        let client = try await said {
            try await call.accounts.registerClient.update(
                id, metadata, secret: json["client_secret"]?.stringValue, by: token, call: call.flow)
        }
        call.accounts.clients.invalidate()
        return answer(client, token: token, call)
    }

    static func delete(_ call: ProviderCall) async throws -> Response {
        let (id, token, call) = try await own(call)
        try await call.accounts.registerClient.delete(id, by: token, call: call.flow)
        call.accounts.clients.invalidate()
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    /// The client that the path names, with the token shown; and the call in its Directory.
    private static func own(_ call: ProviderCall) async throws -> (ClientID, String, ProviderCall) {
        let token = try token(of: call)
        let id = ClientID(call.item ?? "")
        guard let client = try await call.provider.clients.client(id, at: call.now),
            let directory = try await call.accounts.directories.directory(client.directoryID, at: call.now)
        else { throw OAuthError.invalidToken("The registration access token is not valid") }
        var call = call
        call.flow.directory = directory
        return (id, token, call)
    }

    private static func token(of call: ProviderCall) throws(OAuthError) -> String {
        guard call.headers[values: .authorization].count < 2 else {
            throw .invalidRequest("Several Authorization headers")
        }
        guard let token = call.headers.bearerToken else {
            throw call.headers[.authorization] == nil ? .tokenMissing : .invalidToken()
        }
        return token
    }

    /// What the domain refuses of what a client says, in the standard's words (RFC 7591, section 3.2.2).
    private static func said<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as AuthError where error.code == .invalidRequest {
            let isPlace = error.field == "redirect_uris"
            throw OAuthError(
                .badRequest, isPlace ? "invalid_redirect_uri" : "invalid_client_metadata",
                "\(names[error.field ?? ""] ?? error.field ?? "metadata"): \(error.reason ?? "not valid")")
        }
    }

    private static func answer(
        _ client: Client, token: String, _ call: ProviderCall, status: HTTPResponse.Status = .ok
    ) -> Response {
        let place = call.provider.url + Route.registrationPath + "/" + client.id.rawValue
        return Answer.object(ClientMetadata.encode(client, token: token, place: place), status: status)
    }
}
