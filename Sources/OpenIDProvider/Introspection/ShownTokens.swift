// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TokenVerifier

/// What introspection says of good access tokens, as it was written last: a server asks about one token with each call of its
/// user's, and what the token says stays the same. Whether it is good is judged each time.
final class ShownTokens: Sendable {
    /// Beyond it all are written anew.
    private static let capacity = 4096

    private let texts = Mutex<[TokenDigest: [UInt8]]>([:])

    /// - Parameters:
    ///   - digest: of a token that is good now.
    ///   - write: makes the text of what the token says, and of nothing else.
    func text(of digest: TokenDigest, _ write: () -> [UInt8]) -> [UInt8] {
        if let text = texts.withLock({ $0[digest] }) { return text }
        let text = write()
        texts.withLock { texts in
            if texts.count >= Self.capacity { texts.removeAll() }
            texts[digest] = text
        }
        return text
    }
}
