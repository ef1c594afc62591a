// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Cross-origin requests (Fetch standard, section 3.2). Nothing here is authenticated by a cookie, so credentials are
/// never allowed, and every origin may be.
public struct CrossOrigin: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let origins: Set<String>
    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    private static let defaultHeaders =
        "authorization, apikey, content-type, x-client-info, x-supabase-api-version, x-device-name, x-device-os, "
        + "x-app-version"
    private static let exposed =
        "X-Total-Count, Link, X-Request-Id, Retry-After, WWW-Authenticate, x-supabase-api-version, x-sb-error-code"

    /// - Parameter origins: those allowed; `*` for all.
    public init(origins: [String]) {
        self.origins = Set(origins)
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let origin = request.headers[.origin], origins.contains("*") || origins.contains(origin) else {
            return try await next(request, context)
        }
        let isPreflight = request.method == .options && request.headers[.accessControlRequestMethod] != nil
        var response = isPreflight ? Response(status: .noContent) : try await next(request, context)
        response.headers[.accessControlAllowOrigin] = origins.contains("*") ? "*" : origin
        response.headers[.vary] = "Origin"
        response.headers[.accessControlExposeHeaders] = Self.exposed
        if isPreflight {
            response.headers[.accessControlAllowMethods] = Self.methods
            response.headers[.accessControlAllowHeaders] =
                request.headers[.accessControlRequestHeaders].flatMap { Self.isHeaderList($0) ? $0 : nil }
                ?? Self.defaultHeaders
            response.headers[.accessControlMaxAge] = "86400"
        }
        return response
    }

    private static func isHeaderList(_ text: String) -> Bool {
        text.utf8.count <= 1000
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 44
                    || $0 == 32 || $0 == 95
            }
    }
}
