// SPDX-License-Identifier: Apache-2.0

/// The `S256` challenge of a request: BASE64URL(SHA256(verifier)) (RFC 7636, section 4.2).
public struct CodeChallenge: Sendable, Hashable {
    public let rawValue: String

    /// `nil` for a text that no verifier leads to.
    public init?(_ text: String) {
        guard PKCE.isChallenge(text) else { return nil }
        rawValue = text
    }

    /// What whoever knows `verifier` sends ahead.
    public init(for verifier: String) { rawValue = PKCE.challenge(for: verifier) }

    public func isMet(by verifier: String) -> Bool { PKCE.verify(verifier, against: rawValue) }
}
