// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import TokenVerifier

/// What introspection says of good access tokens, and judges them by, as it was read last: a server asks about one
/// token with each call of its user's, and what the token says stays the same. Whether it is good is judged each time.
final class ShownTokens: Sendable {
    /// Beyond it all are read anew.
    private static let capacity = 4096

    private let tokens = Mutex<[TokenDigest: ShownToken]>([:])

    /// - Parameters:
    ///   - digest: of a token that was judged good, now or before.
    ///   - claims: the token's own.
    func token(_ digest: TokenDigest, saying claims: JWTClaims) -> ShownToken {
        if let token = tokens.withLock({ $0[digest] }) { return token }
        let token = ShownToken(claims)
        tokens.withLock { tokens in
            if tokens.count >= Self.capacity { tokens.removeAll() }
            tokens[digest] = token
        }
        return token
    }
}

/// What one access token says.
final class ShownToken: Sendable {
    let statement: TokenStatement
    /// What introspection answers while it is good.
    let text: [UInt8]

    init(_ claims: JWTClaims) {
        statement = TokenStatement(claims)
        text = IntrospectionEndpoint.text(of: claims)
    }
}
