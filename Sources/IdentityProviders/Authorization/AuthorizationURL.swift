// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where a browser is sent to be signed in by a provider (OpenID Connect Core 1.0, section 3.1.2.1; RFC 6749, section
/// 4.1.1).
enum AuthorizationURL {
    /// What no caller's parameters may say otherwise.
    private static let own: Set<String> = [
        "response_type", "response_mode", "client_id", "client_secret", "redirect_uri", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "request", "request_uri", "registration", "prompt", "login_hint",
        "id_token_hint", "claims", "dpop_jkt", "client_assertion", "client_assertion_type",
    ]

    /// - Throws: `AuthErrorCode.invalidRequest` for a parameter that is not a caller's to choose, or more of them than
    ///   fit.
    static func make(_ request: UpstreamRequest, at upstream: Upstream) throws(AuthError) -> String {
        var members: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", upstream.clientID), ("redirect_uri", request.redirectURI),
        ]
        let scopes = scopes(request, upstream)
        if !scopes.isEmpty { members.append(("scope", scopes.joined(separator: " "))) }
        members.append(("state", request.state))
        if upstream.signsUsersIn { members.append(("nonce", request.nonce)) }
        if upstream.sendsChallenge {
            members += [("code_challenge", request.challenge.rawValue), ("code_challenge_method", "S256")]
        }
        // Apple gives name and address to a form alone.
        if upstream.provider.kind == .apple, scopes.contains(where: { $0 == "name" || $0 == "email" }) {
            members.append(("response_mode", "form_post"))
        }
        if let prompt = request.prompt { members.append(("prompt", prompt)) }
        if let hint = request.loginHint { members.append(("login_hint", hint)) }
        members += try extra(request)
        // Without it Google gives no refresh token, which is what a grant is asked about by.
        if upstream.provider.kind == .google, upstream.provider.grantCheckHours > 0,
            request.extra["access_type"] == nil
        {
            members.append(("access_type", "offline"))
        }
        return FormText.add(members, to: upstream.authorization)
    }

    private static func scopes(_ request: UpstreamRequest, _ upstream: Upstream) -> [String] {
        var scopes: [String] = []
        switch upstream.provider.kind {
        case .google, .microsoft, .openID: scopes = ["openid"]
        case .apple, .github, .facebook: break
        }
        for scope in upstream.scopes + request.scopes where !scope.isEmpty && !scopes.contains(scope) {
            scopes.append(scope)
        }
        return scopes
    }

    private static func extra(_ request: UpstreamRequest) throws(AuthError) -> [(name: String, value: String)] {
        guard request.extra.count <= 16, request.scopes.count <= 64 else {
            throw AuthError(.invalidRequest, reason: "too many parameters for the provider")
        }
        var members: [(name: String, value: String)] = []
        for (name, value) in request.extra.sorted(by: { $0.key < $1.key }) {
            guard !own.contains(name), !name.isEmpty, name.utf8.count <= 64, value.utf8.count <= 1024 else {
                throw AuthError(
                    .invalidRequest, reason: "a parameter for the provider that is not the caller's", field: name)
            }
            members.append((name, value))
        }
        return members
    }
}
