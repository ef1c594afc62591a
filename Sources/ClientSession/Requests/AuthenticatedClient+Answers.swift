// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension AuthenticatedClient {
    private static var limits: JSONLimits { JSONLimits(depth: 32, members: 100_000, bytes: 4 << 20) }

    /// The object that the API answers with.
    ///
    /// - Throws: `AuthError`: the API's own code (`code`) where it gives one that the
    ///   domain knows, else one by the status.
    public func object(_ path: String) async throws(AuthError) -> JSONObject { try await object("GET", path) }

    /// The same of any method.
    public func object(_ method: String, _ path: String) async throws(AuthError) -> JSONObject {
        let answer = try await send(method, path, headers: [HTTPHeader("Accept", "application/json")])
        let object = try? JSONObject(parsing: answer.body, limits: Self.limits)
        guard (200..<300).contains(answer.status) else { throw Self.error(answer, object) }
        guard let object else { throw AuthError(.unavailable, reason: "no JSON object") }
        return object
    }

    /// Who is signed in, as the app's API knows them (Y-US3).
    public func me() async throws(AuthError) -> JSONObject { try await object("/v1/me") }

    private static func error(_ answer: HTTPResponse, _ object: JSONObject?) -> AuthError {
        let said = object?["code"]?.stringValue
        let wait = answer.retryAfter
        if let code = AuthErrorCode.allKnown.first(where: { $0.rawValue == said }) {
            return AuthError(code, retryAfter: wait)
        }
        let code: AuthErrorCode =
            switch answer.status {
            case 401: .tokenInvalid
            case 403: .forbidden
            case 404: .notFound
            case 429: .rateLimited
            case 400..<500: .invalidRequest
            default: .unavailable
            }
        return AuthError(code, reason: AuthError.said(said ?? "status \(answer.status)", nil), retryAfter: wait)
    }
}
