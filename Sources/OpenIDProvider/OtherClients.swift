// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// What becomes of a call whose client was made through another dialect's operations.
enum OtherClients: Sendable {
    /// There is no such operation for it: so it is wherever a route says nothing.
    case refused
    /// As with every client. The dialect is asked by ``ProviderCall`` for its words.
    case same
    /// The dialect answers.
    case answered(@Sendable (any ProviderDialect, ClientCall) async throws -> Response)
    /// The dialect answers, once the client has proved itself.
    case answeredIfProven(@Sendable (any ProviderDialect, ClientCall) async throws -> Response)
}

extension OpenIDProvider {
    /// The dialect that a client was made through; `nil` for a client of the provider's own.
    func dialect(of client: Client?) -> (any ProviderDialect)? {
        guard let name = client?.dialect else { return nil }
        return dialects.first { $0.clientDialect == name }
    }

    /// Answers a call, by whoever is to.
    func answer(_ call: ProviderCall, by route: Route) async throws -> Response {
        guard let dialect = call.dialect else {
            // A dialect that is not asked here has endpoints of its own for its clients.
            guard call.flow.client?.dialect == nil else {
                throw OAuthError.unauthorizedClient("The client is not one of this provider's")
            }
            return try await route.endpoint(call)
        }
        switch route.otherClients {
        case .refused: throw OAuthError.unauthorizedClient("The client is not registered for this")
        case .same: return try await route.endpoint(call)
        case .answered(let body): return try await body(dialect, try call.ofClient())
        case .answeredIfProven(let body):
            try call.parameters.requireSingle()
            return try await body(dialect, try await call.authenticated().call.ofClient())
        }
    }

    /// How often one caller may come by one of them: as by the endpoint itself.
    static let entranceLimit = RouteLimit.by(.authorization)

    /// The ways into the authorization endpoint that other dialects have.
    var entrances: [Route] {
        dialects.flatMap { dialect in
            dialect.entrances.map { entrance in
                Route(
                    .get, entrance.path, limit: Self.entranceLimit, origins: .none, for: .person, otherClients: .same
                ) { call in
                    guard call.dialect?.clientDialect == dialect.clientDialect else {
                        throw OAuthError.invalidRequest("client_id is missing, or nobody's")
                    }
                    return try await AuthorizeEndpoint.authorize(call, by: entrance.page)
                }
            }
        }
    }
}

extension ProviderCall {
    /// The dialect that the call's client was made through, and is answered in the words of.
    var dialect: (any ProviderDialect)? { provider.dialect(of: flow.client) }

    /// The call as its client's dialect is given it.
    func ofClient() throws(OAuthError) -> ClientCall {
        ClientCall(flow, of: try client(), parameters: parameters.pairs, headers: headers)
    }

    /// The call with a request for a code in the standard's words, whatever words it came in.
    func inStandardWords() async throws -> ProviderCall {
        guard let dialect else { return self }
        var call = self
        call.parameters = Parameters(try await dialect.authorizationRequest(try ofClient()))
        return call
    }
}
