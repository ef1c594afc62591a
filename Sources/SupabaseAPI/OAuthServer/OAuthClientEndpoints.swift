// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `/admin/oauth/clients*`, and `POST /oauth/clients/register` (RFC 7591) for anybody where the Directory allows that.
enum OAuthClientEndpoints {
    static func register(_ call: DialectCall) async throws -> Response {
        guard call.flow.settings.oauthServer.dynamicRegistration else {
            throw WireError(
                .forbidden, "oauth_dynamic_client_registration_disabled", "Dynamic client registration is not enabled")
        }
        var flow = call.flow
        // Whoever it is, the operator has let them: nobody else registers clients.
        flow.actor = .administrator("dynamic registration")
        return try await create(call, .dynamic, flow)
    }

    static func create(_ call: DialectCall) async throws -> Response { try await create(call, .manual, call.flow) }

    static func list(_ call: DialectCall) async throws -> Response {
        let clients = try await call.accounts.clientAdministration.list(call: call.flow).compactMap(OAuthClient.init)
        return Answer.object(["clients": .array(clients.reversed().map { .object($0.json()) })])
    }

    static func get(_ call: DialectCall) async throws -> Response { Answer.object(try await named(call).json()) }

    static func update(_ call: DialectCall) async throws -> Response {
        let former = try await named(call)
        let input = try OAuthClientInput(call.body)
        guard !input.isEmpty else { throw WireError.validation("No fields provided for update") }
        let registration = try input.change(of: former)
        return try await changed(call) { try await $0.update(former.client.id, registration, call: call.flow) }
    }

    static func delete(_ call: DialectCall) async throws -> Response {
        try await call.accounts.clientAdministration.delete(named(call).client.id, call: call.flow)
        call.accounts.clients.invalidate()
        return Answer.empty
    }

    static func regenerateSecret(_ call: DialectCall) async throws -> Response {
        let former = try await named(call)
        guard former.client.isConfidential else {
            throw WireError.validation("Cannot regenerate secret for public client")
        }
        return try await changed(call, showsSecret: true) {
            try await $0.rotateSecret(of: former.client.id, call: call.flow)
        }
    }

    private static func create(
        _ call: DialectCall, _ type: OAuthClient.RegistrationType, _ flow: CallContext
    ) async throws -> Response {
        let registration = try OAuthClientInput(call.body).newClient(type)
        let id = ClientID(call.accounts.random.uuid())
        var response = try await changed(call, showsSecret: true) {
            try await $0.register(registration, dialect: SupabaseDialect.name, id: id, call: flow)
        }
        response.status = .created
        return response
    }

    private static func changed(
        _ call: DialectCall, showsSecret: Bool = false, _ change: (ClientAdministration) async throws -> Client
    ) async throws -> Response {
        let client: Client
        do {
            client = try await change(call.accounts.clientAdministration)
        } catch let error as AuthError where error.code == .invalidRequest {
            throw WireError.validation("invalid \(wireName(of: error.field))")
        }
        call.accounts.clients.invalidate()
        guard let shown = OAuthClient(client) else { throw AuthError(.clientNotFound) }
        var response = Answer.object(shown.json(secret: showsSecret ? client.secrets.first?.text : nil))
        if showsSecret { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private static func wireName(of field: String?) -> String {
        switch field {
        case "name": "client_name"
        case "grants": "grant_types"
        default: field ?? "client"
        }
    }

    /// The client that the path names, as it is stored.
    private static func named(_ call: DialectCall) async throws -> OAuthClient {
        let text = call.partID ?? ""
        guard UUIDText.accepts(text) else { throw WireError.validation("invalid client_id format") }
        do {
            let client = try await call.accounts.clientAdministration.get(ClientID(text.lowercased()), call: call.flow)
            if let found = OAuthClient(client) { return found }
        } catch let error as AuthError where error.code == .clientNotFound {}
        throw WireError(.notFound, "oauth_client_not_found", "OAuth client not found")
    }
}
