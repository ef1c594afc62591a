// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// An access token as a JWT (RFC 9068, section 2): what it says, whomever it is about.
struct AccessToken: Sendable {
    /// `typ` of the header (section 2.1), by which an ID token is none.
    static let type = "at+jwt"
    /// The claim that names the client's session: what ends it ends the token.
    static let sessionClaim = "session_id"

    var subject: String
    var client: ClientID
    var scopes: [String]
    /// What was asked for by `resource` (RFC 8707); the provider itself where nothing was.
    var resources: [String]
    /// `nil` for a client's own token.
    var session: Session?
    var expiresAt: Instant
    /// Who acts for the subject (RFC 8693, section 4.1); `nil` where that is nobody else than the client it was given
    /// to.
    var actor: JSONObject?

    /// What a client acts for itself as (RFC 6749, section 4.4): no user's identifier begins so (RFC 9700,
    /// section 4.15).
    static func subject(of client: ClientID) -> String { "client:" + client.rawValue }

    /// The token of a session that a client was given.
    init(_ issued: IssuedSession, client: ClientID, scopes: [String], resources: [String]) {
        subject = issued.user.identifier(in: OpenIDProvider.name)
        self.client = client
        self.scopes = scopes
        self.resources = resources
        session = issued.session
        expiresAt = issued.accessExpiresAt
    }

    /// One that an exchange gives for another, in the same session.
    init(
        of holder: AuthenticatedUser, client: ClientID, scopes: [String], resources: [String], actor: JSONObject,
        expiresAt: Instant
    ) {
        subject = holder.user.identifier(in: OpenIDProvider.name)
        self.client = client
        self.scopes = scopes
        self.resources = resources
        session = holder.session
        self.actor = actor
        self.expiresAt = expiresAt
    }

    /// A client's own.
    init(of client: ClientID, scopes: [String], resources: [String], expiresAt: Instant) {
        subject = Self.subject(of: client)
        self.client = client
        self.scopes = scopes
        self.resources = resources
        session = nil
        self.expiresAt = expiresAt
    }

    /// Whom the token is for. Who may learn of the user may ask the provider, whatever else the token opens.
    func audience(_ issuer: String) -> [String] {
        guard !resources.isEmpty else { return [issuer] }
        return scopes.contains(Scope.openID) && !resources.contains(issuer) ? resources + [issuer] : resources
    }

    /// How the token is shown (RFC 6749, section 7.1; RFC 9449, section 5): with a proof of the key that it is bound
    /// to, where it is bound to one.
    static func tokenType(key: String?) -> String { key == nil ? "Bearer" : "DPoP" }

    /// - Parameters:
    ///   - id: unique (section 2.2, `jti`).
    ///   - key: the thumbprint of the key that the token is bound to (RFC 9449, section 6.1).
    func claims(issuer: String, id: String, key: String? = nil, at now: Instant) -> JSONObject {
        let audience = audience(issuer)
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject),
            "aud": audience.count == 1 ? .string(audience[0]) : .array(audience.map { .string($0) }),
            "exp": .integer(expiresAt.seconds), "iat": .integer(now.seconds), "jti": .string(id),
            "client_id": .string(client.rawValue),
        ]
        if !scopes.isEmpty { claims["scope"] = .string(scopes.joined(separator: " ")) }
        claims["cnf"] = key.map { ["jkt": .string($0)] }
        if let session {
            AuthenticationClaims(session: session).add(to: &claims)
            claims[Self.sessionClaim] = .string(session.id.rawValue)
            claims["sid"] = .string((session.parentID ?? session.id).rawValue)
            claims["act"] = actor.map { .object($0) }
        }
        return claims
    }
}
