// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an identity provider vouches for, once it has been judged. ``IdentityProviding`` alone makes one; what follows
/// from it ``FederationDecision`` says.
public struct FederatedProof: Sendable {
    /// ``IdentityProvider/name``.
    public var provider: String
    /// Whose word it is, in one spelling where the provider has several. With the subject it is the identity.
    public var issuer: String
    /// What the provider calls the user: unique at the issuer, 1 to 255 octets.
    public var subject: String
    /// Which of ``IdentityProvider/clientIDs`` it was given to.
    public var audience: String
    public var email: EmailAddress?
    /// Whether the address is the user's beyond doubt: the provider says that it has verified it, as a Boolean or in a
    /// form that is the provider's own, *and* it is authoritative for that address. An absent flag is no.
    public var isEmailVouched: Bool
    /// What the provider said of the user, bounded: 16 KiB, eight levels. No token is in it.
    public var claims: JSONObject
    /// Names that came beside the claims, once: Apple's `user` of the first consent.
    public var givenName: String?
    public var familyName: String?
    /// When the user was last asked by the provider who they are: `auth_time`.
    public var authenticatedAt: Instant?
    public var acr: String?
    public var amr: [String]
    /// After which the proof itself is worthless: an ID token's `exp`.
    public var expiresAt: Instant?
    public var tokens: UpstreamTokens?

    public init(
        provider: String, issuer: String, subject: String, audience: String, email: EmailAddress? = nil,
        isEmailVouched: Bool = false, claims: JSONObject = [:], givenName: String? = nil, familyName: String? = nil,
        authenticatedAt: Instant? = nil, acr: String? = nil, amr: [String] = [], expiresAt: Instant? = nil,
        tokens: UpstreamTokens? = nil
    ) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
        self.audience = audience
        self.email = email
        self.isEmailVouched = isEmailVouched
        self.claims = claims
        self.givenName = givenName
        self.familyName = familyName
        self.authenticatedAt = authenticatedAt
        self.acr = acr
        self.amr = amr
        self.expiresAt = expiresAt
        self.tokens = tokens
    }
}

/// What a provider gave besides its word. An app is given them once, at its sign-in; what the store keeps is an
/// ``UpstreamGrant``.
public struct UpstreamTokens: Sendable {
    public var access: Secret<String>?
    public var refresh: Secret<String>?
    public var id: Secret<String>?
    /// Of the access token.
    public var expiresAt: Instant?

    public init(
        access: Secret<String>? = nil, refresh: Secret<String>? = nil, id: Secret<String>? = nil,
        expiresAt: Instant? = nil
    ) {
        self.access = access
        self.refresh = refresh
        self.id = id
        self.expiresAt = expiresAt
    }
}

/// A provider's refresh token of one identity, kept where it is needed to take the grant back (Apple wants that of
/// whoever deletes an account), or to ask whether it still stands: ``IdentityProvider/grantCheckHours``.
public struct UpstreamGrant: Sendable {
    /// It goes with its identity.
    public var identityID: IdentityID
    public var directoryID: DirectoryID
    /// At GitHub the access token, which does not expire.
    public var refreshToken: Secret<String>
    public var updatedAt: Instant
    /// When it is asked about; `nil` for never.
    public var dueAt: Instant?
    /// How often in a row the provider did not say.
    public var failures: Int

    public init(
        identityID: IdentityID, directoryID: DirectoryID, refreshToken: Secret<String>, updatedAt: Instant,
        dueAt: Instant? = nil, failures: Int = 0
    ) {
        self.identityID = identityID
        self.directoryID = directoryID
        self.refreshToken = refreshToken
        self.updatedAt = updatedAt
        self.dueAt = dueAt
        self.failures = failures
    }
}
