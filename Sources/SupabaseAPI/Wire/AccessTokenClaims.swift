// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The claims of this dialect's access tokens, as its SDKs and its row-level policies read them.
struct AccessTokenClaims {
    static let defaultRole = "authenticated"

    static func audience(of directory: Directory) -> String { directory.settings.audience ?? "authenticated" }

    /// Policies of apps believe it. An address that a provider has only passed on is nobody's yet (CVE-2023-3128).
    private static func email(of issued: IssuedSession) -> String {
        let isPassedOn = issued.session.methods.contains { $0.name == .federated }
        return (issued.user.emailVerifiedAt == nil && isPassedOn ? nil : issued.user.email?.rawValue) ?? ""
    }

    /// The latest first: clients take it for the present one. Two factors of one kind are one method there.
    private static func methods(of session: Session) -> [JSONValue] {
        var named: Set<AuthenticationMethod.Name> = []
        return session.methods.enumerated()
            .sorted { ($0.element.at, $0.offset) > ($1.element.at, $1.offset) }
            .filter { named.insert($0.element.name).inserted }
            .map { ["method": .string(name($0.element.name)), "timestamp": .integer($0.element.at.seconds)] }
    }

    /// There a passkey is one method, whether it has verified its user or not.
    private static func name(_ method: AuthenticationMethod.Name) -> String {
        method == .passkeyPresence ? AuthenticationMethod.Name.passkey.rawValue : method.rawValue
    }

    static func encode(_ issued: IssuedSession, issuer: String, in directory: Directory, at now: Instant) -> JSONObject
    {
        let user = issued.user
        var claims = JSONObject()
        claims["iss"] = .string(issuer)
        claims["sub"] = .string(user.identifier(in: SupabaseDialect.name))
        claims["aud"] = .string(audience(of: directory))
        claims["exp"] = .integer(issued.accessExpiresAt.seconds)
        claims["iat"] = .integer(now.seconds)
        claims["email"] = .string(email(of: issued))
        claims["phone"] = .string(user.phone?.digits ?? "")
        claims["app_metadata"] = .object(UserResponse.appMetadata(of: user, issued.identities))
        claims["user_metadata"] = .object(UserResponse.metadata(of: user, issued.identities))
        claims["role"] = .string(user.role ?? defaultRole)
        claims["aal"] = .string("aal\(issued.session.assurance.rawValue)")
        claims["amr"] = .array(methods(of: issued.session))
        claims["session_id"] = .string(issued.session.id.rawValue)
        claims["is_anonymous"] = .bool(user.isAnonymous)
        if let grant = issued.session.grant, let client = issued.session.clientID {
            claims["client_id"] = .string(client.rawValue)
            claims["scope"] = .string(grant.scopes.joined(separator: " "))
        }
        return claims
    }
}
