// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user signs in with. An identity service that does not take a kind says `unsupported`.
public enum SignInProof: Sendable {
    /// An address, a number or a user name, and the password. The password lives as long as the call (C-13).
    case password(identifier: String, password: Secret<String>)
    /// In a browser: the service's own pages, or those of `provider` by way of the service.
    case browser(provider: String?, options: BrowserSignInOptions)
    /// An ID token that the app got from a provider itself (`google`, `apple`), by its native kit.
    case identityToken(ProviderIdentity)
    /// A code that was sent to the identifier.
    case code(identifier: String, code: Secret<String>)
    /// The token of a mailed link and its kind (`signup`, `recovery`, `magiclink`, `email_change`, `invite`).
    case link(tokenHash: Secret<String>, kind: String)
    /// The redirect back to the app that a browser was left with, where the app was ended meanwhile.
    /// It holds the code.
    case callback(url: Secret<String>)
    /// What the app's own server has made, by which the service knows whom that vouches for.
    case customToken(Secret<String>)
    /// An account without any proof, which can be upgraded.
    case anonymous
    /// A passkey of this device, by the authenticator that the app gave the backend.
    ///
    /// - Parameter identifier: who it probably is, for services that ask that first; `nil` for whoever's passkey is
    ///   shown.
    case passkey(identifier: String?)
}

/// How a browser is used for a sign-in.
public struct BrowserSignInOptions: Sendable, Hashable {
    /// Scopes beyond the service's own.
    public var scopes: [String]
    /// Who it probably is: OpenID Connect Core 1.0, section 3.1.2.1, `login_hint`.
    public var loginHint: String?
    /// Asks the user even if a browser remembers them (H-5): OpenID Connect Core 1.0, section 3.1.2.1, `prompt`.
    public var asksAgain: Bool
    /// `en`, `de`: OpenID Connect Core 1.0, section 3.1.2.1, `ui_locales`.
    public var language: String?

    /// As the service does it, unless something else is said.
    public init(scopes: [String] = [], loginHint: String? = nil, asksAgain: Bool = false, language: String? = nil) {
        self.scopes = scopes
        self.loginHint = loginHint
        self.asksAgain = asksAgain
        self.language = language
    }
}
