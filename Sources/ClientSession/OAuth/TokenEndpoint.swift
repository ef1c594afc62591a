// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Asks a token endpoint (RFC 6749, section 3.2).
public struct TokenEndpoint: Sendable {
    private let client: OAuthClient
    private let transport: any HTTPTransport

    /// Asks as that client; nothing is sent yet.
    public init(of client: OAuthClient, by transport: any HTTPTransport) {
        self.client = client
        self.transport = transport
    }

    /// Buys tokens for a code (section 4.1.3).
    public func redeem(
        _ code: Secret<String>, of request: AuthorizationRequest
    ) async throws(AuthError) -> TokenResponse {
        try await tokens(
            [
                ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", request.redirectURI),
                ("code_verifier", request.proofKey.verifier.reveal()),
            ], refreshing: false)
    }

    /// Buys the next tokens (section 6).
    public func refresh(_ token: Secret<String>) async throws(AuthError) -> TokenResponse {
        try await tokens([("grant_type", "refresh_token"), ("refresh_token", token.reveal())], refreshing: true)
    }

    /// Any other grant.
    public func tokens(_ fields: [(String, String)], refreshing: Bool) async throws(AuthError) -> TokenResponse {
        try TokenResponse(reading: await post(fields, to: client.tokenEndpoint), refreshing: refreshing)
    }

    /// Takes a token back (RFC 7009, section 2.1). One that is gone already is no error.
    public func revoke(_ token: Secret<String>, at endpoint: String) async throws(AuthError) {
        let response = try await post([("token", token.reveal()), ("token_type_hint", "refresh_token")], to: endpoint)
        // Section 2.2 says 200; some servers have nothing to say and say 204.
        guard ![200, 204].contains(response.status) else { return }
        _ = try TokenResponse(reading: response, refreshing: false)
    }

    /// With the client's identifier in the body, or with its secret as section 2.3.1 says.
    private func post(_ fields: [(String, String)], to endpoint: String) async throws(AuthError) -> HTTPResponse {
        var headers = [
            HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json"),
        ]
        var fields = fields + [("client_id", client.clientID)]
        if let secret = client.clientSecret {
            fields.removeLast()
            let name = PercentEncoding.encode(client.clientID.utf8, spacesAsPlus: true)
            let password = PercentEncoding.encode(secret.reveal().utf8, spacesAsPlus: true)
            headers.append(HTTPHeader("Authorization", "Basic \(Base64.encode(Array("\(name):\(password)".utf8)))"))
        }
        do {
            return try await transport.send(
                HTTPRequest("POST", endpoint, headers: headers, body: Array(FormFields.encode(fields).utf8)))
        } catch {
            throw AuthError(noWay: error)
        }
    }
}
