// SPDX-License-Identifier: Apache-2.0

import TokenVerifier

/// Judges the token of a request: a `TokenVerifier`, or what an application whose issuers come and go puts in front of
/// one.
public protocol TokenAuthenticating: Sendable {
    /// - Parameter token: what stands behind `Bearer` or `DPoP`, unchecked; what it is bound to is for the caller to
    ///   look at.
    /// - Throws: `TokenError`; `TokenError.Code.keysUnavailable` where the token can't be judged now.
    func verify(bearer token: Substring) async throws(TokenError) -> VerifiedToken
}

extension TokenVerifier: TokenAuthenticating {
    public func verify(bearer token: Substring) async throws(TokenError) -> VerifiedToken {
        try await verify(fetching: token.utf8)
    }
}
