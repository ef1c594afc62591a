// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Calls of a provider's that take our client's authentication.
enum TokenRequest {
    /// Exchanges a code (RFC 6749, section 4.1.3; RFC 7636, section 4.5). It goes to the token endpoint of the provider
    /// that the browser was sent to, whoever it came back from.
    static func exchange(_ answer: UpstreamAnswer, at upstream: Upstream, now: Instant) throws(AuthError) -> OutwardCall
    {
        var form: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", answer.code.reveal()),
            ("redirect_uri", answer.redirectURI),
        ]
        if upstream.sendsChallenge { form.append(("code_verifier", answer.verifier.reveal())) }
        return try call(form, to: upstream.token, upstream, now)
    }

    /// Renews a grant (RFC 6749, section 6).
    static func renewal(
        of token: Secret<String>, at upstream: Upstream, now: Instant
    ) throws(AuthError) -> OutwardCall {
        try call(
            [("grant_type", "refresh_token"), ("refresh_token", token.reveal())], to: upstream.token, upstream, now)
    }

    /// Takes a token back (RFC 7009, section 2.1).
    static func revocation(
        of token: Secret<String>, hint: String, at endpoint: String, _ upstream: Upstream, now: Instant
    ) throws(AuthError) -> OutwardCall {
        try call([("token", token.reveal()), ("token_type_hint", hint)], to: endpoint, upstream, now)
    }

    private static func call(
        _ form: [(name: String, value: String)], to url: String, _ upstream: Upstream, _ now: Instant
    ) throws(AuthError) -> OutwardCall {
        let provider = upstream.provider
        let name = [(name: "client_id", value: upstream.clientID)]
        switch (upstream.authentication, provider.secret) {
        case (.basic, let secret?):
            var call = OutwardCall(post: form, to: url)
            call.authenticate(upstream.clientID, secret)
            return call
        case (.post, let secret?):
            return OutwardCall(post: form + name + [("client_secret", secret.reveal())], to: url)
        case (.signed, _):
            let secret = try AppleClientSecret.make(for: provider, clientID: upstream.clientID, now: now)
            return OutwardCall(post: form + name + [("client_secret", secret)], to: url)
        case (.nothing, _), (.basic, nil), (.post, nil): return OutwardCall(post: form + name, to: url)
        }
    }
}
