// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The hosted UI: the OpenID provider in the service's words ("User pool endpoints and managed login reference").
extension CognitoDialect: ProviderDialect {
    public var clientDialect: DialectName { Self.name }

    public var entrances: [AuthorizationEntrance] { Self.entrances }

    /// Who has to confirm their account signs in, and is asked for the code then.
    static let entrances = [
        AuthorizationEntrance("/login", .signIn), AuthorizationEntrance("/signup", .signUp),
        AuthorizationEntrance("/forgotPassword", .forgottenPassword), AuthorizationEntrance("/confirmUser", .signIn),
        AuthorizationEntrance("/confirm", .signIn),
    ]

    public var providerPaths: [String] {
        Self.entrances.map(\.path) + HostedRoute.all.map(\.path) + [providerReturnPath]
    }

    public var providerReturnPath: String { HostedProviderReturn.path }

    public func authorizationRequest(_ call: ClientCall) async throws -> [(name: String, value: String)] {
        try await HostedRequest(call, accounts).standard()
    }

    public func identityProvider(_ call: ClientCall) async throws -> String? {
        try await HostedRequest(call, accounts).provider
    }

    public func fault(for error: AuthError) -> AuthorizationFault? { HostedFault.fault(for: error) }

    /// Pools are what this dialect has made so; any Directory is one to its app clients.
    public func schema(of directory: Directory, for client: Client?) -> (any AccountSchema)? {
        let pool = PoolSettings(directory.settings)
        guard pool.isDeclared || client?.dialect == Self.name else { return nil }
        return PoolSchema(pool: pool, poolID: poolID(of: directory))
    }

    public func tokens(_ call: ClientCall) async throws -> Response {
        try await HostedTokens(dialect: self, call: call).answer()
    }

    public func userInfo(_ call: ClientCall) async throws -> Response {
        try await HostedUserInfo(dialect: self, call: call).answer()
    }

    public func revoke(_ call: ClientCall) async throws -> Response {
        try await HostedRevocation.answer(call, accounts)
    }

    public func response(to error: OAuthError, in language: MessageLanguage) -> Response {
        HostedAnswer.error(error, in: language)
    }
}
