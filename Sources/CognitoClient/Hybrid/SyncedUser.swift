// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the synchronization of a user said.
struct SyncedUser: Sendable {
    /// `nil` where it waits at the server.
    var user: SessionUser?
    var isNew: Bool
    var date: Instant?

    /// - Parameter response: of `POST /v1/user-sync`.
    init(reading response: HTTPResponse, provider: String) throws(AuthError) {
        let members = try? JSONObject(
            parsing: response.body, limits: JSONLimits(depth: 16, members: 1_000, bytes: 256 << 10))
        date = response.date
        switch (response.status, members) {
        case (202, .some):
            (user, isNew) = (nil, false)
        case (200, let members?), (201, let members?):
            guard let user = members["user"]?.objectValue, let subject = user["sub"]?.stringValue, !subject.isEmpty
            else {
                throw AuthError(.unavailable, reason: "the synchronization named no user")
            }
            self.user = SessionUser(
                subject: subject, email: user["email"]?.stringValue, emailVerified: user["emailVerified"]?.isTrue,
                phoneNumber: user["phone"]?.stringValue, name: user["name"]?.stringValue,
                picture: user["picture"]?.stringValue, provider: provider,
                attributes: user["attributes"]?.objectValue ?? [:])
            isNew = response.status == 201
        case (400..<500, let members?) where response.status != 429:
            // The App API's own: {"error": {"code": …}}, or flat.
            let error = members["error"]?.objectValue ?? members
            let word = (error["code"] ?? members["error"])?.stringValue.map { AuthErrorCode(rawValue: $0) }
            // A word of nobody's, such as a gateway's "Forbidden", refuses no user: what waits goes on waiting.
            guard let word, AuthErrorCode.allKnown.contains(word) else { throw AuthError(noAnswer: response) }
            throw AuthError(word, reason: "the synchronization was refused", retryAfter: response.retryAfter)
        default: throw AuthError(noAnswer: response)
        }
    }
}

/// Asks for a user to be made, or brought up to date (H-7).
struct UserSync: Sendable {
    let url: String
    let headers: [HTTPHeader]
    let transport: any HTTPTransport

    func callAsFunction(_ identity: ProviderIdentity) async throws(AuthError) -> SyncedUser {
        var body: JSONObject = [
            "provider": .string(identity.provider), "idToken": .string(identity.idToken.reveal()),
        ]
        if let nonce = identity.nonce { body["nonce"] = .string(nonce.reveal()) }
        let request = HTTPRequest(
            "POST", url, headers: [HTTPHeader("Content-Type", "application/json")] + headers, body: body.serialized())
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch { throw AuthError(noWay: error) }
        return try SyncedUser(reading: response, provider: identity.provider)
    }
}
