// SPDX-License-Identifier: Apache-2.0

import TokenVerifier

/// A token as somebody presents it, before it is judged: see ``OwnTokens/presented(_:at:)``.
public struct PresentedToken: Sendable {
    let bytes: [UInt8]
    /// By which it is remembered.
    package let digest: TokenDigest
    let entry: VerifiedTokenCache.Entry?

    /// The token, where it was judged good before and has not expired. It is still to be judged: its key may have gone.
    public var remembered: VerifiedToken? { entry?.token }
}
