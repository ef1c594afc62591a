// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a client asks for at `/oauth/authorize`, beyond who it is and where it wants the answer.
struct OAuthRequest {
    /// What is said to the client by way of the browser.
    struct Fault: Error {
        var code = "invalid_request"
        var description: String
    }

    var request: AuthorizationRequest
    var parameters: AuthorizationParameters

    /// - Parameters:
    ///   - defaultScope: of a request that names none.
    ///   - signsIDTokens: whether the Directory's key is one that clients can check ID tokens by.
    init(
        _ query: [String: String], to redirectURI: String, of client: Client, defaultScope: String, signsIDTokens: Bool
    ) throws(Fault) {
        func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        guard text("response_type") ?? "code" == "code" else {
            throw Fault(description: "only response_type=code is supported")
        }
        let scopes = try Self.scopes(text("scope") ?? defaultScope, signsIDTokens: signsIDTokens)
        let resource = text("resource")
        if let resource { try Self.requireAbsolute(resource) }
        request = AuthorizationRequest(
            redirectURI: redirectURI, scopes: scopes, nonce: text("nonce"),
            challenge: try Self.challenge(text("code_challenge"), text("code_challenge_method"), of: client),
            resources: resource.map { [$0] } ?? [])
        parameters = AuthorizationParameters(state: text("state"))
    }

    private static func scopes(_ text: String, signsIDTokens: Bool) throws(Fault) -> [String] {
        let scopes = OAuthScope.list(text)
        guard !scopes.isEmpty else { throw Fault(description: "scope parameter cannot be empty") }
        guard scopes.allSatisfy(OAuthScope.all.contains) else { throw Fault(description: "unsupported scope") }
        guard signsIDTokens || !scopes.contains(OAuthScope.openID) else {
            throw Fault(description: "openid needs a signing key whose public part can be published")
        }
        return scopes
    }

    /// A `plain` challenge is its verifier, so that it binds nothing by itself. It is taken of a client that proves
    /// itself by a secret when it redeems the code; from there on the two kinds are one.
    private static func challenge(
        _ text: String?, _ method: String?, of client: Client
    ) throws(Fault) -> CodeChallenge {
        guard let text, let method else {
            throw Fault(description: "PKCE flow requires both code_challenge and code_challenge_method")
        }
        switch method.lowercased() {
        case "s256":
            guard let challenge = CodeChallenge(text) else {
                throw Fault(description: "code_challenge must be BASE64URL of a SHA-256 digest")
            }
            return challenge
        case "plain" where client.isPublic:
            throw Fault(description: "code_challenge_method of a public client must be 'S256'")
        case "plain":
            guard PKCE.isVerifier(text) else {
                throw Fault(description: "code_challenge must be between 43 and 128 characters")
            }
            return CodeChallenge(for: text)
        default: throw Fault(description: "code_challenge_method must be 'S256' or 'plain'")
        }
    }

    /// RFC 8707, section 2; the platform takes no query either.
    private static func requireAbsolute(_ text: String) throws(Fault) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex, !text.contains("#"), !text.contains("?"),
            text.utf8.allSatisfy({ (33...126).contains($0) })
        else { throw Fault(description: "resource must be an absolute URI without query and fragment") }
    }
}
