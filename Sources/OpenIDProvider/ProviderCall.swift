// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// One call of the provider, decoded as far as every operation needs it.
struct ProviderCall: Sendable, LimitedCall {
    /// What stays as it came. One object: a call passes through many hands, and each would copy its parts.
    private let arrival: Arrival
    /// The Directory that the path names, or that of the client the call says it is of; else the default one. Its
    /// client is the one named: nothing is proven before ``authenticated()``.
    var flow: CallContext
    var parameters: Parameters
    /// The body of an operation that takes JSON; empty for the others.
    var document = JSONObject()
    /// The client that the path names, where it names one.
    var item: String?
    /// The thumbprint of the key that the call has proved to have: see ``withProof(of:)``.
    var key: String?
    /// Whether the parameters are those that the client has signed: see ``withSignedParameters()``.
    var isSigned = false

    /// - Parameters:
    ///   - credentials: who the call says it is of, as it came; not believed.
    ///   - limit: how often one caller may call the operation: see ``Route/Caller``.
    init(
        provider: OpenIDProvider, flow: CallContext, request: HTTPRequest, path: String, parameters: Parameters,
        credentials: Result<ClientCredentials, OAuthError>, limit: RouteLimit
    ) {
        arrival = Arrival(provider, request, path: path, credentials: credentials, limit: limit)
        self.flow = flow
        self.parameters = parameters
    }

    var provider: OpenIDProvider { arrival.provider }
    var method: HTTPRequest.Method { arrival.request.method }
    /// As the request has it, without its query.
    var path: String { arrival.path }
    var headers: HTTPFields { arrival.request.headerFields }
    var credentials: Result<ClientCredentials, OAuthError> { arrival.credentials }
    var limit: RouteLimit { arrival.limit }
    /// The server's name as the request has it.
    var authority: String? { arrival.request.authority }
    var directory: Directory { flow.directory }
    var now: Instant { flow.now }
    var accounts: AccountFlows { provider.accounts }
    /// Of the call's client, as its dialect spells it.
    var issuer: String { dialect?.issuer(of: flow.directory) ?? provider.issuer(of: flow.directory) }

    /// The operations tell themselves apart by what is in their forms, not by queries.
    var query: [String: String] { [:] }
    func memberText(_ name: String) -> String? { parameters[name] }

    /// - Throws: ``AuthErrorCode/rateLimited``.
    func count() throws(AuthError) { try limit.count(self, by: accounts.limits) }

    /// The client of an operation that has found one.
    func client() throws(OAuthError) -> Client {
        guard let client = flow.client else { throw .invalidClient() }
        return client
    }

    /// What the provider may say of a user.
    func userClaims(of user: User) async throws -> UserClaims {
        UserClaims(user: user, profile: try await accounts.profileFlow.view(user.id, call: flow))
    }

    /// Whether the call comes of a page of this origin, as far as its client has any there.
    func isOwn(origin: String) -> Bool {
        guard let client = flow.client else { return false }
        return client.settings.authorization.redirectURIs.contains { Self.origin(of: $0) == origin }
    }

    private final class Arrival: Sendable {
        let provider: OpenIDProvider
        let request: HTTPRequest
        let path: String
        let credentials: Result<ClientCredentials, OAuthError>
        let limit: RouteLimit

        init(
            _ provider: OpenIDProvider, _ request: HTTPRequest, path: String,
            credentials: Result<ClientCredentials, OAuthError>, limit: RouteLimit
        ) {
            self.provider = provider
            self.request = request
            self.path = path
            self.credentials = credentials
            self.limit = limit
        }
    }

    /// Scheme, host and port of a URL (RFC 6454, section 4), as browsers send them; `nil` for what has no host.
    private static func origin(of url: String) -> String? {
        guard let range = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<range.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        let host = url[range.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, !host.contains("@") else { return nil }
        let standard = scheme == "https" ? ":443" : ":80"
        let name = host.hasSuffix(standard) ? host.dropLast(standard.utf8.count) : host
        return "\(scheme)://\(name.lowercased())"
    }
}
