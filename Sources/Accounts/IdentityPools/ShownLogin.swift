// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// A login as a caller shows it.
public enum ShownLogin: Sendable {
    /// By a token of this server's own, which its dialect has judged.
    case user(UserLogin)
    /// By a token of an identity provider's: ``IdentityProvider/name``. It may be shown again until it expires.
    case upstream(provider: String, token: Secret<String>)
    /// By the word of the operator's own programs: what they call the user. Good from an administrator alone.
    case developer(subject: String)
}

/// What an ID token of a Directory's says, whose signature and times were judged.
public struct UserLogin: Sendable {
    public var directory: Directory
    public var client: ClientID
    public var subject: String
    public var session: SessionID?
    public var claims: JSONObject
    public var roles: RoleChoice.TokenRoles

    public init(
        directory: Directory, client: ClientID, subject: String, session: SessionID?, claims: JSONObject,
        roles: RoleChoice.TokenRoles
    ) {
        self.directory = directory
        self.client = client
        self.subject = subject
        self.session = session
        self.claims = claims
        self.roles = roles
    }
}

/// A login that was judged good in this call. Flows alone make one.
public struct ProvenLogin: Sendable {
    public let login: PoolLogin
    public let source: LoginSource
    public let claims: JSONObject
    let roles: RoleChoice.TokenRoles

    init(
        _ login: PoolLogin, client: String? = nil, claims: JSONObject = [:],
        roles: RoleChoice.TokenRoles = RoleChoice.TokenRoles()
    ) {
        self.login = login
        source = LoginSource(login.provider, client: client)
        self.claims = claims
        self.roles = roles
    }
}

/// What a token says of itself before anything of it is proved, by which it is chosen how to judge it.
public struct ClaimedToken: Sendable {
    /// How far other people's clocks may be behind, as the platforms' pools have it.
    public static let tolerance: TimeSpan = .minutes(5)

    public let claims: JWTClaims

    /// `nil` for what is no signed token.
    public init?(_ text: Secret<String>) {
        guard let parsed = try? ParsedJWS(parsing: Array(text.reveal().utf8)),
            let claims = try? JWTClaims(parsing: parsed.payload)
        else { return nil }
        self.claims = claims
    }

    /// The time at which the token is judged: one that has expired within the tolerance, just before it did.
    ///
    /// - Throws: ``IdentityPoolRefusal/tokenExpired(_:)`` for one that has expired longer ago.
    public func judgedAt(_ now: Instant) throws(IdentityPoolRefusal) -> Instant {
        guard let end = claims.expiresAt, end <= now else { return now }
        guard now < end + Self.tolerance else { throw .tokenExpired(end) }
        return end - .seconds(1)
    }
}
