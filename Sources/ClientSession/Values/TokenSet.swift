// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The tokens of one answer of an identity service (RFC 6749, section 5.1), without anything about whose they are.
public struct TokenSet: Sendable {
    /// What a request is authorized with (RFC 6750).
    public var accessToken: Secret<String>
    /// Who the user is, for the app itself (OpenID Connect Core 1.0, section 2).
    public var idToken: Secret<String>?
    /// What buys the next set. `nil` where the service gives none, so that the session ends with its access token.
    public var refreshToken: Secret<String>?
    /// How long the access token lives from the moment the answer was made. Relative, so that it holds whatever the
    /// device's clock says.
    public var lifetime: TimeSpan
    /// What the service wants to see again when the set is renewed: a user name, a device's key. Never shown.
    public var attachments: Secret<[String: String]>

    /// Made by backends.
    public init(
        accessToken: Secret<String>, idToken: Secret<String>? = nil, refreshToken: Secret<String>? = nil,
        lifetime: TimeSpan, attachments: Secret<[String: String]> = Secret([:])
    ) {
        self.accessToken = accessToken
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.lifetime = lifetime
        self.attachments = attachments
    }
}
