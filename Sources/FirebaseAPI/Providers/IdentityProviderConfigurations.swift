// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Configurations of OpenID providers and of those that everybody knows: the Directory's identity providers, whoever
/// made them, in this dialect's form. What that has no member for stays as it is.
struct IdentityProviderConfigurations: ProviderConfigurations {
    let kind: ProviderKind

    func all(_ call: DialectCall) async throws -> [String: JSONObject] {
        try await call.accounts.identityProviderAdministration.list(call: call.flow).filter(isOurs)
            .reduce(into: [:]) { $0[ProviderID($1.name).text] = ProviderConfiguration.encode($1) }
    }

    func get(_ id: String, _ call: DialectCall) async throws -> JSONObject? {
        try await translated {
            let found = try await call.accounts.identityProviderAdministration.get(ProviderID(id).name, call: call.flow)
            guard isOurs(found) else { throw ProviderConfigurationError.notFound }
            return ProviderConfiguration.encode(found)
        }
    }

    func create(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject) throws -> JSONObject
    ) async throws -> JSONObject {
        let name = ProviderID(id).name
        guard IdentityProvider.isName(name) else { throw WireError("INVALID_CONFIG_ID") }
        guard let providerKind = providerKind(name) else { throw ConfigurationField.unsupported(id) }
        return try await translated {
            let made = try await call.accounts.identityProviderAdministration.create(
                name, kind: providerKind, call: call.flow
            ) {
                // The SDKs have nothing to say Google's nonce by.
                $0.skipsNonceCheck = providerKind == .google
                try ProviderConfiguration.apply(try change([:]), to: &$0)
            }
            return ProviderConfiguration.encode(made)
        }
    }

    func update(
        _ id: String, _ call: DialectCall, _ change: @Sendable @escaping (JSONObject) throws -> JSONObject
    ) async throws -> JSONObject {
        try await translated {
            let updated = try await call.accounts.identityProviderAdministration.update(
                ProviderID(id).name, call: call.flow
            ) {
                guard isOurs($0) else { throw ProviderConfigurationError.notFound }
                try ProviderConfiguration.apply(try change(ProviderConfiguration.encode($0)), to: &$0)
            }
            return ProviderConfiguration.encode(updated)
        }
    }

    func delete(_ id: String, _ call: DialectCall) async throws {
        guard try await get(id, call) != nil else { throw ProviderConfigurationError.notFound }
        try await translated {
            try await call.accounts.identityProviderAdministration.delete(ProviderID(id).name, call: call.flow)
        }
    }

    private func isOurs(_ provider: IdentityProvider) -> Bool { providerKind(provider.name) == provider.kind }

    /// `nil` for a name that is none of this kind's.
    private func providerKind(_ name: String) -> IdentityProvider.Kind? {
        switch kind {
        case .openID: name.hasPrefix("oidc.") ? .openID : nil
        case .known: IdentityProvider.Kind(rawValue: name).flatMap { $0 == .openID ? nil : $0 }
        case .saml: nil
        }
    }

    /// The domain's refusals in the platform's words.
    private func translated<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as AuthError {
            switch (error.code, error.field) {
            case (.identityProviderNotFound, _): throw ProviderConfigurationError.notFound
            case (.conflict, "name"): throw ProviderConfigurationError.exists
            case (.conflict, let field?), (.invalidRequest, let field?):
                throw WireError("INVALID_CONFIG", "\(field): \(error.reason ?? "")")
            default: throw error
            }
        }
    }
}
