// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a token endpoint has given (RFC 6749, section 5; OpenID Connect Core 1.0, section 3.1.3.3).
struct TokenAnswer: Sendable {
    var access: Secret<String>?
    var refresh: Secret<String>?
    var id: Secret<String>?
    /// How long the access token is good; `nil` where it does not say.
    var life: TimeSpan?

    /// Reads an answer. Some providers refuse with status 200, so that the status alone says nothing.
    ///
    /// - Throws: `AuthErrorCode.identityProviderRefused` for a code that is good no longer, or is another's;
    ///   `identityProviderUnavailable` for all else: what is wrong then is not the user's to mend.
    init(_ answer: OutwardAnswer) throws(AuthError) {
        guard answer.status < 500, let object = try? answer.object() else {
            throw AuthError(.identityProviderUnavailable, reason: "token endpoint: status \(answer.status), no answer")
        }
        guard object["error"] == nil, answer.status == 200 else { throw Self.refusal(object["error"]) }
        access = Self.secret(object["access_token"])
        refresh = Self.secret(object["refresh_token"])
        id = Self.secret(object["id_token"])
        switch object["expires_in"] {
        case .integer(let seconds) where seconds > 0: life = .seconds(seconds)
        // Some write numbers as words.
        case .string(let word): life = Int64(word).flatMap { $0 > 0 ? .seconds($0) : nil }
        default: life = nil
        }
        guard access != nil || id != nil else {
            throw AuthError(.identityProviderUnavailable, reason: "token endpoint: no token in the answer")
        }
    }

    func tokens(at now: Instant) -> UpstreamTokens {
        UpstreamTokens(access: access, refresh: refresh, id: id, expiresAt: life.map { now + $0 })
    }

    /// Its error is a word of the standard's, GitHub's own, or an object of Facebook's.
    private static func refusal(_ error: JSONValue?) -> AuthError {
        let isCode: Bool
        var word = "another status"
        switch error {
        case .string(let text):
            // Only a word that is known is quoted.
            let known = [
                "invalid_grant", "invalid_client", "invalid_request", "unauthorized_client", "unsupported_grant_type",
                "invalid_scope", "bad_verification_code", "incorrect_client_credentials", "redirect_uri_mismatch",
                "unverified_user_email",
            ]
            word = known.contains(text) ? text : "an error of its own"
            isCode = ["invalid_grant", "bad_verification_code", "unverified_user_email"].contains(text)
        case .object(let object):
            word = "an error of its own"
            isCode = object["code"] == .integer(100)
        default: isCode = false
        }
        return AuthError(
            isCode ? .identityProviderRefused : .identityProviderUnavailable, reason: "token endpoint: \(word)")
    }

    private static func secret(_ value: JSONValue?) -> Secret<String>? {
        guard let text = value?.stringValue, !text.isEmpty, text.utf8.count <= 64 << 10 else { return nil }
        return Secret(text)
    }
}
