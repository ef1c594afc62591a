// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// `/admin/custom-providers*`: OpenID providers that an operator configures by this platform's API.
enum CustomProviderEndpoints {
    static func list(_ call: DialectCall) async throws -> Response {
        try requireOn(call)
        let type = call.query["type"] ?? ""
        guard ["", "oauth2", "oidc"].contains(type) else {
            throw WireError.validation("type must be either 'oauth2' or 'oidc'")
        }
        let all = type == "oauth2" ? [] : try await custom(call)
        return Answer.object(["providers": .array(all.map { .object($0.json) })])
    }

    static func get(_ call: DialectCall) async throws -> Response {
        try requireOn(call)
        let name = try name(call)
        return try await answering {
            guard
                let found = CustomProvider(
                    try await call.accounts.identityProviderAdministration.get(name, call: call.flow))
            else { throw AuthError(.identityProviderNotFound) }
            return Answer.object(found.json)
        }
    }

    static func create(_ call: DialectCall) async throws -> Response {
        try requireOn(call)
        let input = try CustomProviderInput(call.body)
        try input.requireComplete()
        let limit = call.flow.settings.federation.customProviderLimit
        if limit > 0, try await custom(call).count >= limit { throw overQuota }
        return try await answering {
            try await show(status: .created) {
                try await call.accounts.identityProviderAdministration.create(
                    input.identifier ?? "", kind: .openID, call: call.flow
                ) { input.apply(to: &$0) }
            }
        }
    }

    static func update(_ call: DialectCall) async throws -> Response {
        try requireOn(call)
        let (name, input) = (try name(call), try CustomProviderInput(call.body))
        return try await answering {
            try await show(status: .ok) {
                try await call.accounts.identityProviderAdministration.update(name, call: call.flow) {
                    input.apply(to: &$0)
                }
            }
        }
    }

    static func delete(_ call: DialectCall) async throws -> Response {
        try requireOn(call)
        let name = try name(call)
        return try await answering {
            try await call.accounts.identityProviderAdministration.delete(name, call: call.flow)
            return Answer.empty
        }
    }

    private static let overQuota = WireError(
        .badRequest, "over_custom_provider_quota", "Maximum number of custom OAuth/OIDC providers reached")

    private static func custom(_ call: DialectCall) async throws -> [CustomProvider] {
        try await call.accounts.identityProviderAdministration.list(call: call.flow).compactMap(CustomProvider.init)
    }

    private static func show(
        status: HTTPResponse.Status, _ change: () async throws -> IdentityProvider
    ) async throws -> Response {
        guard let shown = CustomProvider(try await change()) else { throw AuthError(.identityProviderNotFound) }
        return Answer.object(shown.json, status: status)
    }

    /// Says what the domain refuses in the platform's words.
    private static func answering(_ work: () async throws -> Response) async throws -> Response {
        do {
            return try await work()
        } catch let error as AuthError {
            switch error.code {
            case .identityProviderNotFound:
                throw WireError(.notFound, "custom_provider_not_found", "Custom OAuth provider not found")
            case .conflict where error.field == "name":
                throw WireError(
                    .badRequest, "conflict", "A custom OAuth provider with this identifier already exists")
            case .conflict where error.field == "count": throw overQuota
            case .invalidRequest:
                throw WireError.validation(
                    "\(members[error.field ?? ""] ?? "The provider"): \(error.reason ?? "not valid")")
            default: throw error
            }
        }
    }

    /// By the domain's fields, whose reasons say nothing of what was sent.
    private static let members = [
        "name": "identifier", "display_name": "name", "client_ids": "client_id", "secret": "client_secret",
        "scopes": "scopes", "issuer": "issuer", "dialect_data": "authorization_params",
    ]

    private static func name(_ call: DialectCall) throws(WireError) -> String {
        let identifier = (call.partID ?? "").replacing(/%3[Aa]/, with: ":")
        guard ProviderName(identifier).isCustom else {
            throw .validation("identifier must start with 'custom:' prefix, e.g. 'custom:\(identifier)'")
        }
        return identifier
    }

    private static func requireOn(_ call: DialectCall) throws(WireError) {
        guard call.flow.settings.federation.customProviders else {
            throw WireError(.notFound, "feature_disabled", "Custom OAuth providers are disabled")
        }
    }
}
