// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Headers that keep an answer from being taken for something else: not sniffed, not framed, not stored, not leaked as
/// a referrer. A handler's own value stands.
public struct SecurityHeaders: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let isHTTPS: Bool

    /// - Parameter isHTTPS: whether clients reach the server by `https`: then they are told to keep doing so.
    public init(isHTTPS: Bool) {
        self.isHTTPS = isHTTPS
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        add(to: &response.headers)
        return response
    }

    func add(to headers: inout HTTPFields) {
        func add(_ name: HTTPField.Name, _ value: String) {
            // Not asked for its value, which would be put together of all fields of the name.
            if !headers.contains(name) { headers.append(HTTPField(name: name, value: value)) }
        }
        add(.contentTypeOptions, "nosniff")
        add(.referrerPolicy, "no-referrer")
        add(.cacheControl, "no-store")
        add(.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
        if isHTTPS { add(.strictTransportSecurity, "max-age=31536000; includeSubDomains") }
    }
}

extension HTTPField.Name {
    static let contentTypeOptions = HTTPField.Name("X-Content-Type-Options") ?? .trailer
    static let referrerPolicy = HTTPField.Name("Referrer-Policy") ?? .trailer
}
