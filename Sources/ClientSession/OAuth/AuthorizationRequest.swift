// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// One sign-in in a browser by the authorization code grant with PKCE (RFC 6749, section 4.1; RFC 7636), and what its
/// redirect has to show. Used once.
public struct AuthorizationRequest: Sendable {
    /// What the browser is sent to.
    public let address: String
    /// Where the redirect is awaited.
    public let redirectURI: String
    /// What the code is redeemed with.
    public let proofKey: ProofKey
    /// What the ID token must say (OpenID Connect Core 1.0, section 3.1.2.1).
    public let nonce: Secret<String>
    private let state: Secret<String>
    private let issuer: String?
    private let sendsIssuer: Bool

    /// - Parameters:
    ///   - redirectURI: what ``WebAuthentication/redirectURI(preferred:)`` gave.
    ///   - scopes: beyond the client's own.
    ///   - parameters: what else the server is told, such as `prompt` and `login_hint`.
    ///   - given: a nonce that somebody else chose; `nil` for one of the request's own.
    ///   - random: of state, nonce and verifier, 256 bits each.
    public init(
        of client: OAuthClient, redirectURI: String, scopes: [String] = [], parameters: [(String, String)] = [],
        nonce given: Secret<String>? = nil, random: any RandomSource
    ) {
        let (key, state) = (ProofKey(random: random), Base64URL.encode(random.bytes(32)))
        let nonce = given?.reveal() ?? Base64URL.encode(random.bytes(32))
        var all = client.scopes
        for scope in scopes where !all.containsOctets(of: scope) { all.append(scope) }
        let fields =
            [
                ("response_type", "code"), ("client_id", client.clientID), ("redirect_uri", redirectURI),
                ("scope", all.joined(separator: " ")), ("state", state), ("nonce", nonce),
                ("code_challenge", key.challenge), ("code_challenge_method", "S256"),
            ] + parameters
        let endpoint = client.authorizationEndpoint
        address = endpoint + (endpoint.contains("?") ? "&" : "?") + FormFields.encode(fields)
        self.redirectURI = redirectURI
        proofKey = key
        self.nonce = Secret(nonce)
        self.state = Secret(state)
        issuer = client.issuer
        sendsIssuer = client.sendsIssuer
    }

    /// The code that a redirect brings.
    ///
    /// - Parameter redirect: the whole address that the browser was sent to.
    /// - Throws: `cancelled` where the user said no; `invalid_redirect` for a redirect that is not this server's to
    ///   this app (RFC 9207, section 2.4); `flow_state_not_found` for one of another sign-in; else what the server
    ///   refused.
    public func code(from redirect: String) throws(AuthError) -> Secret<String> {
        let parameters = try RedirectParameters(redirect, redirectingTo: redirectURI)
        let refusal = parameters["error"]
        if let given = parameters["state"] {
            guard constantTimeEqual(Array(given.utf8), Array(state.reveal().utf8)) else { throw Self.anothers }
        } else if refusal == nil {
            // Some servers refuse without it. What comes of that is no session.
            throw Self.anothers
        }
        if let issuer {
            let given = parameters["iss"]
            guard given.map({ $0.utf8.elementsEqual(issuer.utf8) }) ?? !(sendsIssuer && refusal == nil) else {
                throw AuthError(.invalidRedirect, reason: "the redirect is another issuer's")
            }
        }
        if let refusal {
            throw AuthError(refusedAtAuthorization: refusal, description: parameters["error_description"])
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw AuthError(.invalidRedirect, reason: "the redirect has no code")
        }
        return Secret(code)
    }

    private static var anothers: AuthError {
        AuthError(.flowStateNotFound, reason: "the redirect's state is not this sign-in's")
    }
}

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "authorization at \(address.prefix { $0 != "?" })" }
    public var debugDescription: String { description }
}
