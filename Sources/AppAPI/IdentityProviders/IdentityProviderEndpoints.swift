// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/v1/admin/identity-providers*`: whose word the Directory of whoever asks takes.
enum IdentityProviderEndpoints {
    static func list(_ call: AppCall) async throws -> Response {
        let providers = try await call.accounts.identityProviderAdministration.list(call: call.flow)
        return AppAPI.answer([
            "identityProviders": .array(providers.map { .object(IdentityProviderDocument.encode($0)) })
        ])
    }

    static func create(_ call: AppCall) async throws -> Response {
        let json = try await RequestReading.object(of: call.request)
        guard let name = json["name"]?.stringValue else {
            throw AuthError(.invalidRequest, reason: "a name is needed", field: "name")
        }
        let kind = try IdentityProviderDocument.kind(json)
        let change = try IdentityProviderDocument.change(json, passing: ["name", "kind"])
        return try await changed(call, status: .created) { providers in
            try await providers.create(name, kind: kind, call: call.flow) { change.apply(to: &$0) }
        }
    }

    static func get(_ call: AppCall) async throws -> Response {
        try await changed(call) { try await $0.get(call.id ?? "", call: call.flow) }
    }

    static func update(_ call: AppCall) async throws -> Response {
        let change = try IdentityProviderDocument.change(try await RequestReading.object(of: call.request))
        return try await changed(call) { providers in
            try await providers.update(call.id ?? "", call: call.flow) { change.apply(to: &$0) }
        }
    }

    static func delete(_ call: AppCall) async throws -> Response {
        let name = call.id ?? ""
        try await call.accounts.identityProviderAdministration.delete(name, call: call.flow)
        call.accounts.identityProviderCatalog.invalidate()
        return AppAPI.answer(["deleted": .string(name)])
    }

    private static func changed(
        _ call: AppCall, status: HTTPResponse.Status = .ok,
        _ change: (IdentityProviderAdministration) async throws -> IdentityProvider
    ) async throws -> Response {
        do {
            let provider = try await change(call.accounts.identityProviderAdministration)
            call.accounts.identityProviderCatalog.invalidate()
            return AppAPI.answer(IdentityProviderDocument.encode(provider), status: status)
        } catch let error as AuthError {
            throw error.withWireName
        }
    }
}
