// SPDX-License-Identifier: Apache-2.0

/// Whether an authenticator is to verify its user, by a PIN or a finger, and not only to see that somebody is there
/// (Web Authentication Level 3, section 5.8.6).
public enum UserVerification: String, Sendable, Hashable, CaseIterable {
    /// Without it an answer is refused.
    case required
    /// Wished for; the outcome says whether it was done.
    case preferred
    case discouraged

    func check(_ data: AuthenticatorData) throws(WebAuthnError) {
        guard self != .required || data.flags.contains(.userVerified) else { throw WebAuthnError(.userNotVerified) }
    }
}
