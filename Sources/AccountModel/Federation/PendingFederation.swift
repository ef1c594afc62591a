// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What a browser was sent away to an identity provider with (RFC 9700, section 4.7): it is good once, for the browser
/// that it was begun in, and for the provider that it was sent to.
public struct PendingFederation: Sendable {
    public var id: PendingFederationID
    public var directoryID: DirectoryID
    /// ``hash(of:)`` of the `state`.
    public var stateHash: [UInt8]
    public var providerID: IdentityProviderID
    /// ``IdentityProvider/name``, and its issuer then: a provider that was configured anew answers nothing old.
    public var provider: String
    public var issuer: String?
    /// What must come along with the answer: ``BrowserID/hash`` of the browser, or the hash of what the dialect binds
    /// it to.
    public var binding: [UInt8]
    /// Must stand in the ID token.
    public var nonce: String
    /// Whose challenge was sent (RFC 7636).
    public var verifier: Secret<String>
    public var redirectURI: String
    public var dialect: DialectName
    /// What the dialect goes on with, bounded by whoever began it: ``continuationLimit`` octets. The provider and the
    /// browser never see it.
    public var continuation: JSONObject
    /// Who is to be known by the identity from now on; `nil` for a sign-in.
    public var linksTo: UserID?
    /// The session in which that user asked for it: it must still live when the answer comes.
    public var session: SessionID?
    public var createdAt: Instant
    public var expiresAt: Instant
    /// When it was answered: once.
    public var usedAt: Instant?

    public static let continuationLimit = 8 * 1024

    public init(
        id: PendingFederationID, directoryID: DirectoryID, stateHash: [UInt8], providerID: IdentityProviderID,
        provider: String, issuer: String? = nil, binding: [UInt8], nonce: String, verifier: Secret<String>,
        redirectURI: String, dialect: DialectName, continuation: JSONObject = [:], linksTo: UserID? = nil,
        session: SessionID? = nil,
        createdAt: Instant, expiresAt: Instant, usedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.stateHash = stateHash
        self.providerID = providerID
        self.provider = provider
        self.issuer = issuer
        self.binding = binding
        self.nonce = nonce
        self.verifier = verifier
        self.redirectURI = redirectURI
        self.dialect = dialect
        self.continuation = continuation
        self.linksTo = linksTo
        self.session = session
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }

    /// By which the store knows a state: it has 128 random bits, so that it needs no key.
    public static func hash(of state: String) -> [UInt8] { Array(SHA256.hash(data: Array(state.utf8))) }
}
