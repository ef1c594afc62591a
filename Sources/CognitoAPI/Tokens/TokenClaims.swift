// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The claims of a pool's tokens (developer guide, "Using tokens with user pools"), in the service's order.
struct TokenClaims: Sendable {
    /// Of the tokens that a sign-in in a browser comes to.
    static let version: Int64 = 2

    let issued: IssuedSession
    let issuer: String
    let client: Client
    let pool: PoolSettings
    /// The same in both tokens of one sign-in or refresh.
    let eventID: String
    let issuedAt: Instant
    /// What a sign-in in a browser was given; `nil` for one by this protocol's operations, which may do all.
    let granted: [String]?
    /// The device that the session is on, where the pool tracks devices.
    var deviceKey: String?

    func access(tokenID: String) -> JSONObject {
        var claims: JSONObject = ["sub": .string(issued.user.sub)]
        claims["device_key"] = deviceKey.map { .string($0) }
        claims["cognito:groups"] = groups
        claims["iss"] = .string(issuer)
        claims["client_id"] = .string(client.id.rawValue)
        addSession(to: &claims)
        claims["token_use"] = "access"
        claims["scope"] = .string(granted?.joined(separator: " ") ?? HostedScope.account)
        addTimes(to: &claims, expiry: issued.accessExpiresAt)
        if granted != nil { claims["version"] = .integer(Self.version) }
        claims["jti"] = .string(tokenID)
        claims["username"] = .string(UserWire.username(of: issued.user))
        return claims
    }

    /// With the attributes that the client may read.
    func id(tokenID: String) -> JSONObject {
        var claims: JSONObject = ["sub": .string(issued.user.sub)]
        claims["cognito:groups"] = groups
        addRoles(to: &claims)
        claims["iss"] = .string(issuer)
        claims["cognito:username"] = .string(UserWire.username(of: issued.user))
        addSession(to: &claims)
        claims["aud"] = .string(client.id.rawValue)
        claims[UserIdentities.name] = UserIdentities(issued.user, issued.identities).claim
        claims["token_use"] = "id"
        addTimes(to: &claims, expiry: issued.idExpiresAt)
        claims["jti"] = .string(tokenID)
        addAttributes(to: &claims)
        return claims
    }

    /// Those of lower precedence first; `nil` for a user in none.
    private var groups: JSONValue? {
        guard !issued.groups.isEmpty else { return nil }
        let sorted = issued.groups.sorted { left, right in
            (left.precedence ?? .max, left.name) < (right.precedence ?? .max, right.name)
        }
        return .array(sorted.map { .string($0.name) })
    }

    /// The roles of the user's groups, and the one of the group that goes first; of several that do so, none is
    /// preferred.
    private func addRoles(to claims: inout JSONObject) {
        let withRole = issued.groups.filter { $0.role != nil }
        guard let first = withRole.map({ $0.precedence ?? .max }).min() else { return }
        var roles: [String] = []
        for role in withRole.compactMap(\.role) where !roles.contains(role) { roles.append(role) }
        claims["cognito:roles"] = .array(roles.map { .string($0) })
        let preferred = Set(withRole.filter { ($0.precedence ?? .max) == first }.compactMap(\.role))
        if preferred.count == 1 { claims["cognito:preferred_role"] = preferred.first.map { .string($0) } }
    }

    /// What all tokens of a session share, and what those of this event do.
    private func addSession(to claims: inout JSONObject) {
        claims["origin_jti"] = .string(issued.session.id.rawValue)
        claims["event_id"] = .string(eventID)
    }

    /// `auth_time` is that of the sign-in, also in tokens of a refresh; never ahead, which verifiers refuse.
    private func addTimes(to claims: inout JSONObject, expiry: Instant) {
        let signedInAt = issued.session.methods.first?.at ?? issued.session.createdAt
        claims["auth_time"] = .integer(min(signedInAt, issuedAt).seconds)
        claims["exp"] = .integer(expiry.seconds)
        claims["iat"] = .integer(issuedAt.seconds)
    }

    /// Flags as booleans, an address as the object that OpenID Connect Core 1.0, section 5.1.1, makes of it, custom
    /// attributes always as text. What only developers read is not for a token.
    private func addAttributes(to claims: inout JSONObject) {
        let readable = client.settings.attributeNames("ReadAttributes").map { Set($0) }
        let view = AttributeView(pool: pool, client: client)
        for (name, text) in UserAttributeList.pairs(issued.user, in: view) {
            guard name != "sub", !name.hasPrefix("dev:"), readable?.contains(name) ?? true else { continue }
            let value: JSONValue =
                switch name {
                case "email_verified", "phone_number_verified": .bool(text == "true")
                case "address": ["formatted": .string(text)]
                case "updated_at": Int64(text).map(JSONValue.integer) ?? .string(text)
                default: .string(text)
                }
            claims[name] = value
        }
    }
}
