// SPDX-License-Identifier: Apache-2.0

/// The link and the code that prove one thing once. Both are secrets.
public struct IssuedProof: Sendable, CustomStringConvertible {
    /// The whole link, as the message carries it.
    public var link: String
    /// The link's secret alone: 56 hexadecimal digits. Whoever reads the link has it.
    public var linkToken: String
    /// Handed over in place of the link by an operator's own page: 56 hexadecimal digits. ``linkToken`` follows from
    /// it, and not the other way round, so that a link that asks for a PKCE verifier can't be passed off as one that
    /// does not.
    public var tokenHash: String
    /// Decimal digits to be typed.
    public var code: String
    /// Where the link leads after it was opened.
    public var redirectTo: String

    public var description: String { "[redacted]" }
}
