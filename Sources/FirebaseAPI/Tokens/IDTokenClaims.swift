// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The claims of this dialect's ID tokens ("Verify ID Tokens", Firebase documentation), and `session_id`, by which an
/// ended session is known here.
struct IDTokenClaims {
    static func encode(_ issued: IssuedSession, in directory: Directory, at now: Instant) -> JSONObject {
        let user = issued.user
        let signIn = SignInProvider(issued.session, of: user)
        var claims = JSONObject()
        // Of the claims that users have a say in, an operator's of the same name is the one, as there.
        claims["name"] = user.shared(.name).map { .string($0) }
        claims["picture"] = user.shared(.picture).map { .string($0) }
        // What was said of this sign-in alone wins over what is said of the user, and what follows over both.
        claims = claims.merging(CustomClaims(of: user).object).merging(CustomClaims(of: issued.session).object)
        claims["iss"] = .string(FirebaseDialect.issuerPrefix + directory.projectID)
        claims["aud"] = .string(directory.projectID)
        claims["auth_time"] = .integer(authenticatedAt(issued, now))
        claims["user_id"] = .string(user.localID)
        claims["sub"] = .string(user.localID)
        claims["iat"] = .integer(now.seconds)
        claims["exp"] = .integer(issued.idExpiresAt.seconds)
        claims["email"] = user.email.map { .string($0.rawValue) }
        claims["email_verified"] = user.email.map { _ in .bool(user.emailVerifiedAt != nil) }
        claims["phone_number"] = user.phone.map { .string($0.e164) }
        claims["provider_id"] = signIn == .anonymous ? .string(signIn.rawValue) : nil
        var firebase: JSONObject = [
            "identities": .object(identities(issued)), "sign_in_provider": .string(signIn.rawValue),
        ]
        if let second = issued.session.methods.last(where: { FactorInfo.word(for: $0.name) != nil }) {
            firebase["sign_in_second_factor"] = FactorInfo.word(for: second.name).map { .string($0) }
            firebase["second_factor_identifier"] = second.factor.map { .string($0.rawValue) }
        }
        firebase["tenant"] = directory.tenantID.map { .string($0) }
        claims["firebase"] = .object(firebase)
        claims["session_id"] = .string(issued.session.id.rawValue)
        return claims
    }

    /// When the user signed in. A session that outlived a revocation counts from there: some SDKs compare this claim,
    /// and others `iat`, with the instant from which the user's tokens are good. Never ahead, which verifiers refuse.
    private static func authenticatedAt(_ issued: IssuedSession, _ now: Instant) -> Int64 {
        let since = issued.user.tokensValidSince(at: now)?.seconds ?? .min
        return min(max(issued.session.createdAt.seconds, since), now.seconds)
    }

    private static func identities(_ issued: IssuedSession) -> JSONObject {
        var identities = JSONObject()
        for identity in issued.identities where !SignInProvider.isLocal(identity) {
            let provider = ProviderID(of: identity).text
            identities[provider] = .array((identities[provider]?.arrayValue ?? []) + [.string(identity.subject)])
        }
        if let phone = issued.user.phone { identities["phone"] = [.string(phone.e164)] }
        if let email = issued.user.email { identities["email"] = [.string(email.rawValue)] }
        return identities
    }
}
