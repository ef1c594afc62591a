// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension FirebaseService.Answer {
    /// Whether it has tokens, in the names of the one service or the other.
    var hasSession: Bool { (members["idToken"] ?? members["id_token"]) != nil }

    /// The ID token is all that an app's own backend sees (F-1, F-9). The user is read from it: it came straight from
    /// who signs it.
    func session() throws(AuthError) -> SessionGrant {
        guard let id = token("idToken", "id_token"), let refresh = token("refreshToken", "refresh_token"),
            let claims = try? IDTokenClaims(reading: id)
        else { throw AuthError(.unavailable, reason: "the answer is no session") }
        return SessionGrant(
            tokens: TokenSet(
                accessToken: id, idToken: id, refreshToken: refresh, lifetime: lifetime(of: claims)),
            user: SessionUser(firebase: claims), serverDate: serverDate)
    }

    private func token(_ names: String...) -> Secret<String>? {
        let found = names.lazy.compactMap { members[$0] }.first
        guard let text = found?.stringValue, (1...(64 << 10)).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return Secret(text)
    }

    /// In seconds, as a text or a number. Where an answer has none (a second factor's) the token says it.
    private func lifetime(of claims: IDTokenClaims) -> TimeSpan {
        let said: Int64? =
            switch members["expiresIn"] ?? members["expires_in"] {
            case .string(let text): Int64(text)
            case .integer(let seconds): seconds
            default: nil
            }
        if let said { return .seconds(min(max(said, 0), 315_360_000)) }
        guard let serverDate, let end = claims.expiresAt else { return .zero }
        return min(max(end - serverDate, .zero), .seconds(315_360_000))
    }
}

extension SessionUser {
    /// The user as an ID token says them.
    init(firebase claims: IDTokenClaims) {
        let own = claims.members["firebase"]?.objectValue ?? [:]
        let provider = own["sign_in_provider"]?.stringValue
        self = claims.user(provider: provider)
        // After a link the token may go on naming the sign-in by which the account was made.
        isAnonymous = provider == "anonymous" && email == nil && own["identities"]?.objectValue?.names.isEmpty ?? true
    }

    /// The user as `accounts:lookup` shows them.
    ///
    /// `attributes` has `providers`, and `customAttributes` where the operator gave the user claims.
    init(firebaseAccount user: JSONObject, provider: String?) throws(AuthError) {
        guard let id = user["localId"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw AuthError(.unavailable, reason: "the answer is no user")
        }
        let providers = (user["providerUserInfo"]?.arrayValue ?? []).compactMap { $0.objectValue?["providerId"] }
        var attributes: JSONObject = ["providers": .array(providers)]
        if let custom = user["customAttributes"]?.stringValue,
            let claims = try? JSONObject(parsing: custom.utf8, limits: JSONLimits(depth: 16, members: 500, bytes: 4096))
        {
            attributes["customAttributes"] = .object(claims)
        }
        let email = user["email"]?.stringValue
        self.init(
            subject: id, email: email,
            emailVerified: email == nil ? nil : user["emailVerified"]?.boolValue ?? false,
            phoneNumber: user["phoneNumber"]?.stringValue, name: user["displayName"]?.stringValue,
            picture: user["photoUrl"]?.stringValue,
            // Who came by a token of the app's own has neither, and is somebody.
            isAnonymous: email == nil && providers.isEmpty && provider ?? "anonymous" == "anonymous",
            provider: provider, attributes: attributes)
    }
}
