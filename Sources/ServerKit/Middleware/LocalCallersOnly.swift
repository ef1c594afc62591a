// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import Logging

/// Refuses what pages of other machines send, with 403 and a line in the log that says what to configure. Placed before
/// everything that answers: preflights are refused too.
///
/// A host that an operator has made a Directory's domain leads here by their own name server: it is let in, with the
/// pages that it itself has shown.
public struct LocalCallersOnly: RouterMiddleware {
    public typealias Context = LatchkeyRequestContext

    private let callers: LocalCallers
    private let isDomain: @Sendable (String, Instant) async throws -> Bool

    /// - Parameter isDomain: whether a host that is not this machine's is a Directory's domain.
    public init(
        _ callers: LocalCallers,
        isDomain: @escaping @Sendable (String, Instant) async throws -> Bool = { _, _ in false }
    ) {
        self.callers = callers
        self.isDomain = isDomain
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let headers = request.headers
        let authority = request.head.authority ?? ""
        let origin = headers[.origin]
        if !callers.isLocal(authority) {
            guard try await isDomain(authority, context.now) else {
                return refuse("Host", "development.hosts", authority, context)
            }
            if let origin, ["https://" + authority, "http://" + authority].contains(origin) {
                return try await next(request, context)
            }
        }
        guard callers.isAllowed(origin: origin, site: headers[.fetchSite], mode: headers[.fetchMode]) else {
            return refuse("Origin", "http.corsOrigins", origin, context)
        }
        return try await next(request, context)
    }

    private func refuse(_ field: String, _ setting: String, _ value: String?, _ context: Context) -> Response {
        context.logger.warning(
            "refused: in development mode only this machine may call",
            metadata: ["field": .string(field), "value": .string(String((value ?? "").prefix(100)))])
        let body: JSONObject = [
            "error": "foreign_caller",
            "message": .string(
                "In development mode only this machine may call. This \(field) is allowed by \(setting)."),
        ]
        return Response(
            status: .forbidden, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: body.serialized())))
    }
}

extension HTTPField.Name {
    static let fetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .trailer
    static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .trailer
}
