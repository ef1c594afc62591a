// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Cross-origin requests (Fetch standard, section 3.2). Nothing here is authenticated by a cookie, so credentials are
/// never allowed, every origin may be, and whatever header a page asks to send.
public struct CrossOrigin: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    /// As octets: a name that is canonically equivalent is another origin's.
    private let origins: Set<[UInt8]>
    private let isOpen: Bool
    private let closed: [String]
    private let exposed: String
    private static let methods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
    private static let mostHeaders = 64
    private static let exposed = [
        "X-Total-Count", "Link", "X-Request-Id", "Retry-After", "WWW-Authenticate", "DPoP-Nonce",
    ]

    /// - Parameters:
    ///   - origins: those allowed; `*` for all.
    ///   - exposed: response headers of the dialects that a page may read beside the usual ones.
    ///   - closed: paths that no other origin may read, or that say themselves which may, with all below them.
    public init(origins: [String], exposed: [String] = [], closed: [String] = []) {
        self.origins = Set(origins.map { Array($0.utf8) })
        isOpen = origins.contains("*")
        self.closed = closed
        self.exposed = (Self.exposed + exposed).joined(separator: ", ")
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard !isClosed(request.uri.path) else { return try await next(request, context) }
        let isPreflight =
            request.method == .options && request.headers[.accessControlRequestMethod] != nil
            && origin(of: request.headers) != nil
        var response = isPreflight ? Response(status: .noContent) : try await next(request, context)
        tell(request.headers, in: &response.headers)
        if isPreflight { Self.answerPreflight(request.headers, in: &response) }
        return response
    }

    /// Says in an answer that no middleware has seen whose pages may read it.
    func answer(_ request: HTTPFields, path: Substring, in headers: inout HTTPFields) {
        if !isClosed(path) { tell(request, in: &headers) }
    }

    private func tell(_ request: HTTPFields, in headers: inout HTTPFields) {
        // Where the answer depends on the origin, a cache must know, also for an origin that is not allowed.
        if !isOpen { headers.append(HTTPField(name: .vary, value: "Origin")) }
        guard let origin = origin(of: request) else { return }
        headers[.accessControlAllowOrigin] = isOpen ? "*" : origin
        headers[.accessControlExposeHeaders] = exposed
    }

    private func origin(of headers: HTTPFields) -> String? {
        headers[.origin].flatMap { isOpen || origins.contains(Array($0.utf8)) ? $0 : nil }
    }

    /// Lets a page of whatever origin read an answer, for a dialect that itself says whose pages may: see
    /// ``Dialect/ownOrigins``.
    public static func expose(_ response: inout Response, to request: Request) {
        guard let origin = request.headers[.origin] else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        response.headers[.accessControlExposeHeaders] = exposed.joined(separator: ", ")
        if request.method == .options { answerPreflight(request.headers, in: &response) }
    }

    private static func answerPreflight(_ headers: HTTPFields, in response: inout Response) {
        response.headers[.accessControlAllowMethods] = methods
        response.headers[.accessControlAllowHeaders] = allowed(headers)
        response.headers[.accessControlMaxAge] = "86400"
    }

    /// The request headers that the page asks for: every version of a vendor's SDK has some of its own, and an app adds
    /// others. They allow nothing that a program outside of a browser could not send.
    private static func allowed(_ headers: HTTPFields) -> String? {
        let asked = headers[values: .accessControlRequestHeaders].joined(separator: ",")
        let names = asked.split { $0 == "," || $0.isWhitespace }.prefix(mostHeaders)
            .compactMap { HTTPField.Name(String($0))?.rawName }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// By octets, since every request is asked about: as text each letter of the path would be looked for first.
    private func isClosed(_ path: some StringProtocol) -> Bool {
        let path = path.utf8
        return closed.contains { place in
            let next = path.dropFirst(place.utf8.count).first ?? UInt8(ascii: "/")
            return next == UInt8(ascii: "/") && path.starts(with: place.utf8)
        }
    }
}
