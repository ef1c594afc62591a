// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Logging

/// The last handler of every error: whatever was thrown, the client gets an answer in the form of its dialect, and only
/// what is the server's own fault is a 5xx.
///
/// It also answers what no handler is asked: a path that could be read in two ways (404), a method that a known path
/// does not take (405 with `Allow`; RFC 9110, section 15.5.6), and a bare `OPTIONS` (204 with `Allow`; section 9.3.7).
public struct SurfaceErrors: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let surfaces: [Surface]
    private let routes: KnownRoutes
    private let fallback: any ErrorRenderer

    /// - Parameter surfaces: the one with the longest matching prefix is taken.
    public init(surfaces: [Surface], routes: KnownRoutes, fallback: any ErrorRenderer) {
        self.surfaces = surfaces.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
        self.routes = routes
        self.fallback = fallback
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        do {
            guard PlainPath.accepts(path) else { throw AuthError(.notFound, reason: "an ambiguous path") }
            return try await next(request, context)
        } catch {
            let failure = judge(error, path, request.method, context)
            guard failure.code == .methodNotAllowed else {
                return await renderer(for: request.method, path).response(for: failure, to: request, context: context)
            }
            var response =
                request.method == .options
                ? Response(status: .noContent)
                : await renderer(for: request.method, path).response(for: failure, to: request, context: context)
            response.headers[.allow] = routes.methods(for: path).map(\.rawValue).joined(separator: ", ")
            return response
        }
    }

    private func renderer(for method: HTTPRequest.Method, _ path: String) -> any ErrorRenderer {
        surfaces.first { $0.contains(method, path) }?.renderer ?? fallback
    }

    private func judge(
        _ error: any Error, _ path: String, _ method: HTTPRequest.Method, _ context: Context
    ) -> AuthError {
        switch error {
        case let error as AuthError:
            switch error.code {
            case .internalFailure, .unavailable, .overloaded:
                context.logger.error("request failed", metadata: ["reason": .string(error.description)])
            default: context.logger.debug("refused", metadata: ["reason": .string(error.description)])
            }
            return error
        case let error as HTTPError where error.status == .notFound:
            let methods = routes.methods(for: path)
            return AuthError(methods.isEmpty || methods.contains(method) ? .notFound : .methodNotAllowed)
        case let error as any HTTPResponseError where (400..<500).contains(error.status.code):
            return AuthError(error.status == .contentTooLarge ? .requestTooLarge : .invalidRequest)
        case is CancellationError: return AuthError(.unavailable, reason: "cancelled")
        default:
            // The type says where to look; the value might repeat what the client sent.
            context.logger.error("unexpected error", metadata: ["type": .string("\(type(of: error))")])
            return AuthError(.internalFailure)
        }
    }
}
