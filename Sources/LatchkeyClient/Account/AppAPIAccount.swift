// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import OpenIDClient

/// The end of an account, and all that is held about its user, by a Latchkey server's own API (`/v1/account`):
/// whichever of its dialects the app signs in by (G-10).
public struct AppAPIAccount: AccountLife {
    private let api: ProfileAPI
    private let service: SessionService

    /// - Parameters:
    ///   - address: the server's, to which `/v1/…` is added.
    ///   - service: whose account.
    /// - Throws: `AuthError` with `insecureTransport` for plain `http` beyond loopback, `invalidRequest` for what is no
    ///   address.
    public init(address: String, service: SessionService, transport: any HTTPTransport) throws(AuthError) {
        guard let origin = ServiceOrigin(of: address) else { throw AuthError(.invalidRequest, field: "address") }
        guard origin.isSecure else { throw AuthError(.insecureTransport) }
        api = ProfileAPI(address: address, transport: transport)
        self.service = service
    }

    public func explainDeletion() async throws(AuthError) -> DeletionExplanation? {
        try await asked { [api] token throws(AuthError) in try await api.explainDeletion(token) }
    }

    public func delete() async throws(AuthError) -> AccountDeletion {
        try await service.deleteAccount { [api] tokens throws(AuthError) in
            try await api.deleteAccount(tokens.accessToken)
        }
    }

    public func requestExport() async throws(AuthError) -> Instant? {
        try await asked { [api] token throws(AuthError) in try await api.requestExport(token) }
    }

    private func asked<Value: Sendable>(
        _ call: @escaping @Sendable (Secret<String>) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        do { return try await service.withTokens { tokens in try await call(tokens.accessToken) } } catch {
            throw AuthError(of: error)
        }
    }
}
