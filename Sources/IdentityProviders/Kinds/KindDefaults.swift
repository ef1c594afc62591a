// SPDX-License-Identifier: Apache-2.0

import AccountModel
import JOSE

/// What is the same for everybody who signs users in by a vendor. Kept here instead of fetched: it has been the same
/// for years, and a vendor whose metadata can't be had does not keep anybody from signing in.
struct KindDefaults: Sendable {
    var issuer: IssuerRule
    var authorization: String
    var token: String
    var userInfo: String?
    var keys: String?
    var authentication: ClientAuthentication
    var scopes: [String]
    var sendsChallenge = true

    static let google = KindDefaults(
        issuer: .one("https://accounts.google.com", alsoSpelled: ["accounts.google.com"]),
        authorization: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token",
        userInfo: "https://openidconnect.googleapis.com/v1/userinfo",
        keys: "https://www.googleapis.com/oauth2/v3/certs",
        authentication: .basic, scopes: ["openid", "email", "profile"])

    /// It knows nothing of PKCE; the code is bound to us by the signed secret.
    static let apple = KindDefaults(
        issuer: .one("https://appleid.apple.com", alsoSpelled: ["https://account.apple.com"]),
        authorization: "https://appleid.apple.com/auth/authorize", token: "https://appleid.apple.com/auth/token",
        userInfo: nil, keys: "https://appleid.apple.com/auth/keys", authentication: .signed,
        scopes: ["name", "email"], sendsChallenge: false)

    static let github = KindDefaults(
        issuer: .one("https://github.com"), authorization: "https://github.com/login/oauth/authorize",
        token: "https://github.com/login/oauth/access_token", userInfo: "https://api.github.com/user", keys: nil,
        authentication: .post, scopes: ["read:user", "user:email"])

    /// The keys are those of Limited Login, whose tokens name either issuer.
    static let facebook = KindDefaults(
        issuer: .one("https://www.facebook.com", alsoSpelled: ["https://limited.facebook.com"]),
        authorization: "https://www.facebook.com/v23.0/dialog/oauth",
        token: "https://graph.facebook.com/v23.0/oauth/access_token", userInfo: "https://graph.facebook.com/v23.0/me",
        keys: "https://limited.facebook.com/.well-known/oauth/openid/jwks/", authentication: .post,
        scopes: ["public_profile", "email"], sendsChallenge: false)

    /// - Parameters:
    ///   - issuer: `{base}{tenant}/v2.0`, where the tenant may be `common` (also for `nil`), `organizations`,
    ///     `consumers` or a UUID.
    ///   - named: the tenants whose people alone may come; empty for all of the issuer's.
    /// - Returns: `nil` for anything else, a tenant by its domain among it: tokens don't name that.
    static func microsoft(issuer: String?, tenants named: [String]) -> KindDefaults? {
        let issuer = issuer ?? "https://login.microsoftonline.com/common/v2.0"
        let parts = issuer.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0] == "https:", parts[1].isEmpty, parts[4] == "v2.0" else { return nil }
        var tenants: IssuerRule.Tenants
        switch parts[3] {
        case "common": tenants = .all
        case "organizations": tenants = .organizations
        case "consumers": tenants = .some([IssuerRule.Tenants.personal])
        case let tenant where IssuerRule.isTenant(tenant): tenants = .some([tenant])
        default: return nil
        }
        if !named.isEmpty {
            guard named.allSatisfy(IssuerRule.isTenant) else { return nil }
            tenants = .some(Set(named.filter(tenants.contains)))
        }
        let base = "https://\(parts[2])/"
        let place = base + parts[3]
        return KindDefaults(
            issuer: .tenants(base: base, tenants), authorization: "\(place)/oauth2/v2.0/authorize",
            token: "\(place)/oauth2/v2.0/token", userInfo: nil, keys: "\(place)/discovery/v2.0/keys",
            authentication: .post, scopes: ["openid", "email", "profile"])
    }

    /// What an OpenID provider says of itself, and what is said of it everywhere.
    init?(_ metadata: ProviderMetadata, hasSecret: Bool) {
        guard let method = hasSecret ? ClientAuthentication.preferred(of: metadata.authenticationMethods) : .nothing
        else {
            return nil
        }
        self.init(
            issuer: .one(metadata.issuer), authorization: metadata.authorization, token: metadata.token,
            userInfo: metadata.userInfo, keys: metadata.keys, authentication: method,
            scopes: ["openid", "email", "profile"],
            // Whoever does not know it takes no notice (RFC 6749, section 3.1).
            sendsChallenge: metadata.challengeMethods?.contains("S256") ?? true)
    }

    init(
        issuer: IssuerRule, authorization: String, token: String, userInfo: String?, keys: String?,
        authentication: ClientAuthentication, scopes: [String], sendsChallenge: Bool = true
    ) {
        self.issuer = issuer
        self.authorization = authorization
        self.token = token
        self.userInfo = userInfo
        self.keys = keys
        self.authentication = authentication
        self.scopes = scopes
        self.sendsChallenge = sendsChallenge
    }
}
