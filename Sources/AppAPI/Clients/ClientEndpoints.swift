// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/clients*`: the clients of the provider, in the Directory of whoever asks.
enum ClientEndpoints {
    static func list(_ call: AppCall) async throws -> Response {
        let clients = try await call.accounts.clientAdministration.list(call: call.flow)
        return AppAPI.answer(["clients": .array(clients.map { .object(ClientDocument.encode($0)) })])
    }

    static func create(_ call: AppCall) async throws -> Response {
        let registration = try await registration(call)
        return try await changed(call, status: .created) { try await $0.register(registration, call: call.flow) }
    }

    static func get(_ call: AppCall) async throws -> Response {
        AppAPI.answer(
            ClientDocument.encode(
                try await named(call) { try await call.accounts.clientAdministration.get($0, call: call.flow) }))
    }

    static func update(_ call: AppCall) async throws -> Response {
        let registration = try await registration(call)
        return try await changed(call) { clients in
            try await named(call) { try await clients.update($0, registration, call: call.flow) }
        }
    }

    static func delete(_ call: AppCall) async throws -> Response {
        let id = try await named(call) { id in
            try await call.accounts.clientAdministration.delete(id, call: call.flow)
            return id
        }
        call.accounts.clients.invalidate()
        return AppAPI.answer(["deleted": .string(id.rawValue)])
    }

    static func addSecret(_ call: AppCall) async throws -> Response {
        try await changed(call, status: .created) { clients in
            try await named(call) { try await clients.addSecret(to: $0, call: call.flow) }
        }
    }

    static func rotateSecret(_ call: AppCall) async throws -> Response {
        try await changed(call, status: .created) { clients in
            try await named(call) { try await clients.rotateSecret(of: $0, call: call.flow) }
        }
    }

    static func removeSecret(_ call: AppCall) async throws -> Response {
        let secret = ClientSecretID(call.secret ?? "")
        return try await changed(call) { clients in
            try await named(call) { try await clients.removeSecret(secret, of: $0, call: call.flow) }
        }
    }

    /// The answer to a change, with the secret where one was made.
    private static func changed(
        _ call: AppCall, status: HTTPResponse.Status = .ok,
        _ change: (ClientAdministration) async throws -> Client
    ) async throws -> Response {
        let client: Client
        do {
            client = try await change(call.accounts.clientAdministration)
        } catch let error as AuthError {
            throw error.withWireName
        }
        call.accounts.clients.invalidate()
        let made = status == .created ? client.secrets.first?.text : nil
        var response = AppAPI.answer(ClientDocument.encode(client, secret: made), status: status)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private static func registration(_ call: AppCall) async throws -> ClientRegistration {
        try ClientDocument.registration(try await RequestReading.object(of: call.request))
    }

    /// A client that is missing is what was asked for, and not who asks.
    private static func named<Value>(_ call: AppCall, _ body: (ClientID) async throws -> Value) async throws -> Value {
        do {
            return try await body(ClientID(call.id ?? ""))
        } catch let error as AuthError where error.code == .clientNotFound {
            throw AuthError(.notFound, reason: "no such client")
        }
    }
}

extension AuthError {
    /// The error with its field as the documents of this API call it: `redirect_uris` is `redirectUris`.
    var withWireName: AuthError {
        guard let field, field.contains("_") else { return self }
        let words = field.split(separator: "_")
        let name = words.dropFirst().reduce(String(words.first ?? "")) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
        return AuthError(code, reason: reason, field: name, retryAfter: retryAfter)
    }
}
