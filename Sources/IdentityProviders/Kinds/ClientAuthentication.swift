// SPDX-License-Identifier: Apache-2.0

/// How we prove at a provider's token endpoint that we are its client.
enum ClientAuthentication: Sendable, Hashable {
    /// Not at all: a client without a secret, which PKCE alone stands for.
    case nothing
    /// `client_secret_basic` (RFC 6749, section 2.3.1).
    case basic
    /// `client_secret_post`.
    case post
    /// `client_secret_post` of a token that is signed anew for each call with the team's key (Apple).
    case signed

    /// The best of those that a provider lists; `nil` where it lists none of ours. One that lists nothing takes
    /// ``basic`` (OpenID Connect Discovery 1.0, section 3).
    static func preferred(of methods: Set<String>?) -> ClientAuthentication? {
        guard let methods, !methods.contains("client_secret_basic") else { return .basic }
        if methods.contains("client_secret_post") { return .post }
        return nil
    }
}
