// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A server's own API for apps, which takes the access tokens of each of its dialects.
public struct ProfileAPI: Sendable {
    private let address: String
    private let transport: any HTTPTransport

    /// - Parameter address: of the server, to which `/v1/…` is added.
    public init(address: String, transport: any HTTPTransport) {
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.transport = transport
    }

    /// Who the token's user is (Y-US3).
    public func me(_ token: Secret<String>) async throws(AuthError) -> SessionUser {
        try await ask("GET", "/v1/me", nil, token)
    }

    /// Creates or changes the user's profile, and nothing else (F-7).
    ///
    /// - Parameter changes: `name`, `picture`, `locale`; a null empties one. Another `email` is only asked for: it
    ///   counts once its mail is answered.
    public func register(_ changes: JSONObject, _ token: Secret<String>) async throws(AuthError) -> SessionUser {
        try await ask("POST", "/v1/users/register", changes, token)
    }

    /// Deletes the user's account: at once, or once the server's time of grace is over (G-10).
    ///
    /// - Returns: until when a sign-in keeps it, where the server gives such a time.
    /// - Throws: `reauthenticationNeeded` where the sign-in is not recent, `insufficientAssurance` where a second
    ///   factor is to be shown first.
    public func deleteAccount(_ token: Secret<String>) async throws(AuthError) -> AccountDeletion {
        let (response, members) = try await send("DELETE", "/v1/account", nil, token)
        guard response.status == 200 || response.status == 202, let members else {
            throw Self.error(response, members)
        }
        return AccountDeletion(dueAt: members["deletionDueAt"]?.stringValue.flatMap { Instant(rfc3339: $0) })
    }

    /// What a deletion means, and what is to be shown first.
    public func explainDeletion(_ token: Secret<String>) async throws(AuthError) -> DeletionExplanation {
        let (response, members) = try await send("GET", "/v1/account/deletion", nil, token)
        guard response.status == 200, let members else { throw Self.error(response, members) }
        return DeletionExplanation(answered: members)
    }

    /// Has a link mailed to everything that is held about the user.
    ///
    /// - Returns: until when the link works, where the server says so.
    /// - Throws: `reauthenticationNeeded`, `insufficientAssurance`; `rateLimited` for the fourth of a day.
    public func requestExport(_ token: Secret<String>) async throws(AuthError) -> Instant? {
        let (response, members) = try await send("POST", "/v1/account/export", [:], token)
        guard response.status == 202, let members else { throw Self.error(response, members) }
        return members["expiresAt"]?.stringValue.flatMap { Instant(rfc3339: $0) }
    }

    private func ask(
        _ method: String, _ path: String, _ body: JSONObject?, _ token: Secret<String>
    ) async throws(AuthError) -> SessionUser {
        let (response, members) = try await send(method, path, body, token)
        guard response.status == 200, let members, let subject = members["sub"]?.stringValue, !subject.isEmpty else {
            throw Self.error(response, members)
        }
        return SessionUser(
            subject: subject, email: members["email"]?.stringValue, emailVerified: members["emailVerified"]?.boolValue,
            phoneNumber: members["phone"]?.stringValue, name: members["name"]?.stringValue,
            picture: members["picture"]?.stringValue, isAnonymous: members["anonymous"]?.boolValue ?? false,
            attributes: members)
    }

    private func send(
        _ method: String, _ path: String, _ body: JSONObject?, _ token: Secret<String>
    ) async throws(AuthError) -> (HTTPResponse, JSONObject?) {
        var request = HTTPRequest(method, address + path)
        request.headers = [HTTPHeader("Authorization", "Bearer \(token.reveal())")]
        if let body {
            request.headers.append(HTTPHeader("Content-Type", "application/json"))
            request.body = body.serialized()
        }
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch { throw AuthError(noWay: error) }
        let members = try? JSONObject(
            parsing: response.body, limits: JSONLimits(depth: 16, members: 500, bytes: 256 << 10))
        return (response, members)
    }

    /// The API says the domain's own code.
    private static func error(_ response: HTTPResponse, _ members: JSONObject?) -> AuthError {
        guard (400...499).contains(response.status), let said = members?["code"]?.stringValue,
            let code = AuthErrorCode.allKnown.first(where: { $0.rawValue.utf8.elementsEqual(said.utf8) })
        else { return AuthError(noAnswer: response) }
        return AuthError(code, field: members?["field"]?.stringValue, retryAfter: response.retryAfter)
    }
}
