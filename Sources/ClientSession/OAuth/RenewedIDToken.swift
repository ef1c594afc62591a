// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The ID token that came with renewed tokens, as far as it is taken (OpenID Connect Core 1.0, section 12.2).
///
/// By then the service may have taken the former refresh token back: what came in its place is the session's, whatever
/// stands beside it. An ID token that can't be read, is too old by the time that is known here or is for another client
/// leaves the former one in place. Another user's is refused, since the tokens beside it would be theirs.
public struct RenewedIDToken: Sendable {
    /// The session's from now on; `nil` where it has none.
    public let token: Secret<String>?
    /// What the new one says; `nil` where the former stays.
    public let claims: IDTokenClaims?

    /// - Parameters:
    ///   - given: as it came; `nil` where none did.
    ///   - former: the session's until now.
    ///   - check: throws where the new one is not taken.
    /// - Throws: `identity_token_invalid` for another user's.
    public init(
        _ given: Secret<String>?, after former: Secret<String>?,
        check: (IDTokenClaims) throws(AuthError) -> Void
    ) throws(AuthError) {
        guard let given, let claims = try? IDTokenClaims(reading: given) else {
            (token, self.claims) = (former, nil)
            return
        }
        if let before = former.flatMap({ try? IDTokenClaims(reading: $0) })?.subject,
            !before.utf8.elementsEqual(claims.subject.utf8)
        {
            throw AuthError(.identityTokenInvalid, reason: "the ID token is another user's")
        }
        do throws(AuthError) {
            try check(claims)
            (token, self.claims) = (given, claims)
        } catch {
            (token, self.claims) = (former, nil)
        }
    }
}
