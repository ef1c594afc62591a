// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// The server's router. A path without parameters is found by its text, however many others there are; the rest is
/// looked for along the names of each level, as Hummingbird's router does.
///
/// The answers are those of that router: it prefers a name to a parameter at each level, so that a path which was added
/// word for word is what a request for it comes to.
public final class PathRouter: RouterMethods, HTTPResponderBuilder {
    public typealias Context = LatchkeyRequestContext

    private let router = Router(context: LatchkeyRequestContext.self)
    private var endpoints: [String: PathResponder.Endpoint] = [:]

    public init() {}

    @discardableResult
    public func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == Context {
        router.on(path, method: method, responder: responder)
        let text = path.description
        if path.components.allSatisfy({ $0 == $0.description }) {
            endpoints[text, default: PathResponder.Endpoint(path: text)].methods[method] =
                router.middlewares.constructResponder(finalResponder: responder)
        }
        return self
    }

    /// For the routes that are added from now on.
    @discardableResult
    public func add(middleware: any MiddlewareProtocol<Request, Response, Context>) -> Self {
        router.add(middleware: middleware)
        return self
    }

    public func buildResponder() -> PathResponder {
        PathResponder(endpoints: endpoints, others: router.buildResponder())
    }
}

/// Answers by the routes of a ``PathRouter``.
public struct PathResponder: HTTPResponder {
    struct Endpoint: Sendable {
        let path: String
        var methods: [HTTPRequest.Method: any HTTPResponder<LatchkeyRequestContext>] = [:]
    }

    let endpoints: [String: Endpoint]
    let others: RouterResponder<LatchkeyRequestContext>

    public func respond(to request: Request, context: LatchkeyRequestContext) async throws -> Response {
        // A path that has no such method is not found by the others either, whose answer that is.
        guard let endpoint = endpoints[request.uri.path], let responder = endpoint.methods[request.method] else {
            return try await others.respond(to: request, context: context)
        }
        context.coreContext.endpointPath.value = endpoint.path
        do {
            return try await responder.respond(to: request, context: context)
        } catch let error as any HTTPResponseError {
            return try error.response(from: request, context: context)
        }
    }
}
