// SPDX-License-Identifier: Apache-2.0

/// An answer that held, and what its credential's record is to say from now on (Web Authentication Level 3, section
/// 7.2, step 24).
public struct VerifiedAssertion: Sendable, Hashable {
    /// The highest that was seen.
    public var signatureCount: UInt32
    /// Whether the authenticator verified its user, and did not only see that somebody was there.
    public var isUserVerified: Bool
    /// Whether the credential is now in more places than one.
    public var isBackedUp: Bool
    /// Whether the authenticator has counted less than was seen of it: there may be two of it.
    public var isPossiblyCloned: Bool
}
