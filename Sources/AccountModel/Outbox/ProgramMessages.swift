// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Something that happened here, for a program of the operator's.
public struct WebhookEvent: Sendable, Hashable {
    /// The registered endpoint. Its URL and the key that signs are with the transport: both may be secret.
    public var endpoint: String
    /// What happened.
    public var name: String
    public var body: JSONObject
    /// Whom it is about: what one endpoint is told of one user is handed over in the order in which it was written,
    /// each once the one before is settled. `nil` for what stands in no order.
    public var user: UserID?

    public init(endpoint: String, name: String, body: JSONObject, user: UserID? = nil) {
        self.endpoint = endpoint
        self.name = name
        self.body = body
        self.user = user
    }
}

/// What an app brought along for a user to follow what an identity provider says of them, while the provider could not
/// be asked. It is judged as of when it came.
public struct UserSync: Sendable, Hashable {
    public enum Proof: String, Sendable, CaseIterable {
        case idToken = "id_token"
        case accessToken = "access_token"
    }

    /// ``IdentityProvider/name``.
    public var provider: String
    public var proof: Proof
    /// Whoever has it has the user's account here for as long as it is good. Empty once it was judged, or given up.
    public var token: Secret<String>
    /// That the app says it asked with.
    public var nonce: String?
    /// Whose place takes what the domain has no words for; `nil` for nobody's.
    public var dialect: DialectName?
    public var receivedAt: Instant
    /// Who it was about, once it is done.
    public var user: UserID?

    public init(
        provider: String, proof: Proof, token: Secret<String>, nonce: String? = nil, dialect: DialectName? = nil,
        receivedAt: Instant, user: UserID? = nil
    ) {
        self.provider = provider
        self.proof = proof
        self.token = token
        self.nonce = nonce
        self.dialect = dialect
        self.receivedAt = receivedAt
        self.user = user
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.provider == rhs.provider && lhs.proof == rhs.proof && lhs.nonce == rhs.nonce && lhs.dialect == rhs.dialect
            && lhs.receivedAt == rhs.receivedAt && lhs.user == rhs.user
            && constantTimeEqual(Array(lhs.token.reveal().utf8), Array(rhs.token.reveal().utf8))
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(provider)
        hasher.combine(receivedAt)
    }
}

/// A browser's session that has ended, which a client knows of (OpenID Connect Back-Channel Logout 1.0, section 2.4).
/// The token that says so is made when it is handed over: it lasts for two minutes.
public struct ClientLogout: Sendable, Hashable {
    public var client: ClientID
    /// Whose it was: `sub`.
    public var user: UserID
    /// The browser's: `sid`.
    public var session: SessionID

    public init(client: ClientID, user: UserID, session: SessionID) {
        self.client = client
        self.user = user
        self.session = session
    }
}

/// A token of an identity provider's that is to be good no longer, since what it was for has ended here (RFC 7009).
public struct UpstreamRevocation: Sendable, Hashable {
    /// RFC 7009, section 2.1.
    public enum TokenType: String, Sendable, CaseIterable {
        case refreshToken = "refresh_token"
        case accessToken = "access_token"
    }

    public var provider: String
    /// Whose it was, as the provider calls them.
    public var subject: String
    public var tokenType: TokenType
    /// Whoever has it has the user's account there. Empty once it was handed over, and of a provider that takes a grant
    /// back by its user's name.
    public var token: Secret<String>

    public init(provider: String, subject: String, tokenType: TokenType, token: Secret<String>) {
        self.provider = provider
        self.subject = subject
        self.tokenType = tokenType
        self.token = token
    }

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.provider == rhs.provider && lhs.subject == rhs.subject && lhs.tokenType == rhs.tokenType
            && constantTimeEqual(Array(lhs.token.reveal().utf8), Array(rhs.token.reveal().utf8))
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(provider)
        hasher.combine(tokenType)
    }
}
