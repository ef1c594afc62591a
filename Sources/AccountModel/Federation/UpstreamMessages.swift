// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a browser is sent to a provider with.
public struct UpstreamRequest: Sendable {
    public var state: String
    public var nonce: String
    public var challenge: CodeChallenge
    public var redirectURI: String
    /// Beside those of the provider's configuration.
    public var scopes: [String]
    /// `prompt` (OpenID Connect Core, section 3.1.2.1), as the app asked.
    public var prompt: String?
    public var loginHint: String?
    /// What else the app asked to be passed on, by names that the dialect allows. None replaces a parameter that is
    /// ours.
    public var extra: [String: String]

    public init(
        state: String, nonce: String, challenge: CodeChallenge, redirectURI: String, scopes: [String] = [],
        prompt: String? = nil, loginHint: String? = nil, extra: [String: String] = [:]
    ) {
        self.state = state
        self.nonce = nonce
        self.challenge = challenge
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.prompt = prompt
        self.loginHint = loginHint
        self.extra = extra
    }
}

/// What a browser came back with, beside what was kept of the request.
public struct UpstreamAnswer: Sendable {
    public var code: Secret<String>
    /// What the challenge was made from.
    public var verifier: Secret<String>
    /// What the ID token must hold.
    public var nonce: String
    public var redirectURI: String
    /// The `iss` parameter (RFC 9207).
    public var issuer: String?
    /// Apple's `user` form field: JSON, unsigned, and there at the first consent alone. Only its name is taken.
    public var user: String?

    public init(
        code: Secret<String>, verifier: Secret<String>, nonce: String, redirectURI: String, issuer: String? = nil,
        user: String? = nil
    ) {
        self.code = code
        self.verifier = verifier
        self.nonce = nonce
        self.redirectURI = redirectURI
        self.issuer = issuer
        self.user = user
    }
}

/// An ID token that an app brings along, and what it says of it.
public struct UpstreamIDToken: Sendable {
    /// How the nonce that the app knows stands in the token.
    public enum NonceForm: Sendable, Hashable, CaseIterable {
        case plain
        /// The hexadecimal SHA-256 of it, in lower case.
        case hashed
        case either
    }

    public var text: Secret<String>
    /// The nonce that the app says it asked with. It and the token's must both be there and fit, or both be absent,
    /// unless ``IdentityProvider/skipsNonceCheck``.
    public var nonce: String?
    public var nonceForm: NonceForm
    /// Held against the token's `at_hash`, where it has one (OpenID Connect Core, section 3.1.3.8).
    public var accessToken: Secret<String>?

    public init(
        text: Secret<String>, nonce: String? = nil, nonceForm: NonceForm = .hashed, accessToken: Secret<String>? = nil
    ) {
        self.text = text
        self.nonce = nonce
        self.nonceForm = nonceForm
        self.accessToken = accessToken
    }
}

/// What a provider says of a user of its own accord.
public struct UpstreamEvent: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The user's sessions at the provider have ended.
        case sessionsRevoked = "sessions_revoked"
        /// What this app was granted was taken back.
        case tokensRevoked = "tokens_revoked"
        /// The user takes their consent back: they no longer sign in here this way.
        case consentRevoked = "consent_revoked"
        case accountDisabled = "account_disabled"
        case accountEnabled = "account_enabled"
        case accountDeleted = "account_deleted"
        case emailDisabled = "email_disabled"
        case emailEnabled = "email_enabled"
        /// The provider makes the user change how they prove themselves there: somebody else may know how.
        case credentialChangeRequired = "account_credential_change_required"
        /// A test of the way here, about nobody. ``UpstreamEvent/reason`` has what the operator gave along.
        case verification
        /// Something that asks nothing of us.
        case other
    }

    /// What is wrong with a statement that is refused, as far as whoever sent it is to be told: the error's field.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        case issuer
        case audience
        /// Not one of the provider's.
        case key
        case signature
    }

    public var kind: Kind
    public var issuer: String
    /// Empty for ``Kind/verification``, and for ``Kind/other`` that is about nobody.
    public var subject: String
    /// `jti`: the provider may say the same again.
    public var id: String
    public var at: Instant
    /// In the provider's words, such as `hijacking`.
    public var reason: String?

    public init(
        kind: Kind, issuer: String, subject: String, id: String, at: Instant, reason: String? = nil
    ) {
        self.kind = kind
        self.issuer = issuer
        self.subject = subject
        self.id = id
        self.at = at
        self.reason = reason
    }
}
