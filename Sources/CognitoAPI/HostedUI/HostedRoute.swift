// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What the hosted UI has that is no endpoint of the provider's. All are pages, fetched by GET.
struct HostedRoute: Sendable {
    let path: String
    let limit: RouteLimit
    let endpoint: @Sendable (HostedCall) async throws -> Response

    static let all: [HostedRoute] = [
        HostedRoute(path: "/logout", limit: .by(.authorization), endpoint: HostedLogout.answer),
        HostedRoute(path: "/error", limit: .unlimited(.publicDocument)) { throw HostedError.named($0["error"]) },
    ]
}

/// A call of one of them.
struct HostedCall: Sendable, LimitedCall {
    let dialect: CognitoDialect
    /// In the Directory of the app client that the call names, which it need not.
    var flow: CallContext
    let parameters: [(name: String, value: String)]
    let headers: HTTPFields

    var query: [String: String] { [:] }
    func memberText(_ name: String) -> String? { self[name] }

    /// The parameter's value; `nil` where it is missing, empty, or given twice.
    subscript(name: String) -> String? { parameters.single(name) }
}

extension CognitoDialect {
    public func addProviderRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for method in [HTTPRequest.Method.get, .post] {
            routes.add(method, HostedProviderReturn.path)
            router.on(RouterPath(HostedProviderReturn.path), method: method) { request, context in
                try await saying(request, context) { try await HostedProviderReturn.answer(request, context, self) }
            }
        }
        for route in HostedRoute.all {
            routes.add(.get, route.path)
            router.get(RouterPath(route.path)) { request, context in
                try await answer(request, context, by: route)
            }
        }
    }

    /// What can't be read is said on a page, as of every address that a person's browser is sent to.
    private func saying(
        _ request: Request, _ context: LatchkeyRequestContext, _ body: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await body()
        } catch {
            guard let refusal = Self.refusal(error) else { throw error }
            return OAuthErrorPage(
                error: refusal, brand: PageBrand(DirectorySettings()),
                language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
                reference: context.requestID
            ).response
        }
    }

    /// What a page says of an error; `nil` for one that whoever renders errors answers.
    private static func refusal(_ error: any Error) -> OAuthError? {
        switch error {
        case let error as OAuthError: error
        case let error as AuthError where error.code == .rateLimited:
            OAuthError(.tooManyRequests, "temporarily_unavailable", "Too many requests", retryAfter: error.retryAfter)
        case let error as AuthError where [.invalidRequest, .requestTooLarge].contains(error.code):
            .request("The request can't be read")
        default: nil
        }
    }

    private func answer(
        _ request: Request, _ context: LatchkeyRequestContext, by route: HostedRoute
    ) async throws -> Response {
        let language = MessageLanguage(acceptLanguage: request.headers[.acceptLanguage])
        let domain = try await directory(ofHost: request.head.authority, at: context.now)
        var brand = domain?.settings ?? DirectorySettings()
        do {
            let call = try await hostedCall(request, context, language, at: domain)
            brand = call.flow.settings
            try route.limit.count(call, by: accounts.limits)
            return try await route.endpoint(call)
        } catch {
            guard let refusal = Self.refusal(error) else { throw error }
            return OAuthErrorPage(
                error: refusal, brand: PageBrand(brand), language: language, reference: context.requestID
            ).response
        }
    }

    private func hostedCall(
        _ request: Request, _ context: LatchkeyRequestContext, _ language: MessageLanguage, at domain: Directory?
    ) async throws -> HostedCall {
        let parameters = try RequestReading.pairs(request.uri.query ?? "")
        let named = parameters.single("client_id").map { ClientID($0) }
        let client = if let named { try await clients.client(named, at: context.now) } else { nil as Client? }
        // At a pool's domain there are its own app clients.
        let own = client.flatMap { client in
            client.dialect == Self.name && domain.map { $0.id == client.directoryID } ?? true ? client : nil
        }
        let found =
            if let own {
                try await directories.directory(own.directoryID, at: context.now)
            } else if let domain {
                domain
            } else {
                try await directories.directory(named: DirectoryCatalog.defaultName, at: context.now)
            }
        guard let directory = found else { throw AuthError(.unavailable, reason: "no default directory") }
        var flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: language, links: ownIssuer(of: directory, for: own?.id.rawValue ?? "").links, dialect: Self.name,
            client: own)
        flow.origin = context.origin
        return HostedCall(dialect: self, flow: flow, parameters: parameters, headers: request.headers)
    }
}
