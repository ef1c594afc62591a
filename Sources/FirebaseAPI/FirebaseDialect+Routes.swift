// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

extension FirebaseDialect {
    /// Adds every operation, at the paths that begin with the platform's host names and at the bare ones.
    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for route in built {
            for path in route.paths {
                routes.add(route.method, path)
                router.on(RouterPath(path), method: route.method) { request, context in
                    try await respond(to: request, context, by: route)
                }
            }
        }
    }

    /// The parts of the URL space in which errors are said in this dialect's form.
    public var surfaces: [Surface] {
        Set(built.flatMap(\.paths).compactMap(Self.ownPrefix)).map { Surface(prefix: $0, renderer: errors) }
            + [Surface(prefix: ActionLink.path, renderer: PageErrors())]
    }

    /// Without those that are for development, elsewhere.
    private var built: [Route] {
        settings.acceptsOwnerToken ? Route.all : Route.all.filter { $0.access != .emulator }
    }

    public var hashingRoutes: [HashingRoute] {
        Route.all.flatMap { route in
            route.paths.compactMap { path in
                let errors: any RefusalRenderer = path == ActionLink.path ? PageErrors() : FirebaseErrors()
                return HashingRoute(route.method, path, route.hashing, errors)
            }
        }
    }

    public static func errorEntry(for code: AuthErrorCode) -> ErrorEntry? {
        ErrorTable.entries[code].map {
            ErrorEntry(
                status: $0.status.code, code: $0.code, words: $0.message, told: ($0.told ?? code).messageKey)
        }
    }

    public var errors: any ErrorRenderer { FirebaseErrors() }

    /// The part of a path that only this dialect uses: `/v1/accounts:signUp` whole, since `/v1` is others' too, and of
    /// the others the first segment or two.
    private static func ownPrefix(_ path: String) -> String? {
        let segments = path.split(separator: "/", maxSplits: 2).map(String.init)
        guard let first = segments.first else { return nil }
        guard ["v1", "v2"].contains(first) else { return "/" + first }
        return segments.count > 1 ? "/\(first)/\(segments[1])" : nil
    }

    private func respond(
        to request: Request, _ context: LatchkeyRequestContext, by route: Route
    ) async throws -> Response {
        do {
            let call = try await call(request, context, route)
            if !call.isAdministrator { try route.limit?.count(call, by: accounts.limits) }
            return try await route.endpoint(call)
        } catch let error as WireError {
            return Answer.error(error, in: Self.language(of: request.headers))
        }
    }

    private func call(
        _ request: Request, _ context: LatchkeyRequestContext, _ route: Route
    ) async throws -> DialectCall {
        let query = try RequestReading.query(of: request)
        let gateway = Gateway(dialect: self, headers: request.headers, query: query, now: context.now)
        // Who calls comes before what they say: a stranger's body is not even read.
        var entry = try await gateway.enter(
            route.access, project: context.parameters.get("project"), tenant: context.parameters.get("tenant"))
        let body = try await Self.body(of: request, as: route.body, isAdministrator: entry.administrator != nil)
        switch route.access {
        case .client, .administrator: entry = try await gateway.narrow(entry, access: route.access, by: body)
        case .link:
            entry.directory = try await gateway.place(
                ofLink: request.method == .get ? { query[$0] } : { try? body.given($0) })
        case .open, .tenants, .providers, .serviceAccounts, .emulator: break
        }
        var flow = CallContext(
            directory: entry.directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: Self.language(of: request.headers),
            links: ActionLink(url: settings.url, apiKey: entry.apiKey, language: Self.language(of: request.headers)),
            dialect: Self.name)
        flow.confirmation = .nothing
        flow.shows = .identities
        flow.actor = entry.administrator.map { .administrator($0) } ?? .unknown
        // The platform's refresh tokens stay the same: its SDKs refresh from several processes that share one.
        flow.rotates = false
        flow.identifierLength = Self.identifierLength
        flow.stepLifetime = Self.stepLifetime
        flow.habits = Self.habits
        flow.origin = context.origin
        try flow.takeAgreedTerms(of: request.headers)
        return DialectCall(
            dialect: self, flow: flow, body: body, query: query, tenant: context.parameters.get("tenant"),
            configuration: context.parameters.get("configuration"),
            parameters: context.parameters, entry: entry, headers: request.headers, authority: request.head.authority)
    }

    private static func body(
        of request: Request, as kind: Route.Body, isAdministrator: Bool
    ) async throws -> Input {
        switch kind {
        case .batch where isAdministrator:
            return Input(object: try await RequestReading.object(of: request, limits: RequestReading.batchLimits))
        case .batch: return Input(object: try await RequestReading.object(of: request))
        case .none: return Input(object: [:])
        case .json: return Input(object: try await RequestReading.object(of: request))
        case .formOrJSON:
            return Input(
                object: RequestReading.isForm(request)
                    ? try await RequestReading.formObject(of: request) : try await RequestReading.object(of: request))
        }
    }

    /// The language that the app has chosen, before the one of its system.
    static func language(of headers: HTTPFields) -> MessageLanguage {
        MessageLanguage(
            acceptLanguage: headers[.locale].flatMap { $0 == "null" ? nil : $0 } ?? headers[.acceptLanguage])
    }
}

/// Errors of this dialect's URL space.
struct FirebaseErrors: ErrorRenderer, RefusalRenderer {
    let fields: [HTTPField.Name] = [.locale, .acceptLanguage]

    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        Answer.error(WireError(error), in: FirebaseDialect.language(of: request.headers))
    }

    func refusal(_ error: AuthError, to headers: HTTPFields) -> Refusal {
        Answer.refusal(WireError(error), in: FirebaseDialect.language(of: headers))
    }
}

extension HTTPField.Name {
    static let locale = Self.known("X-Firebase-Locale")
    static let apiKey = Self.known("x-goog-api-key")

    /// The names above are tokens (RFC 9110, section 5.1); were one not, its header would only be missing.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .trailer }
}
