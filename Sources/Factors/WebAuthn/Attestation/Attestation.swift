// SPDX-License-Identifier: Apache-2.0

/// What vouches for the model of a new authenticator (Web Authentication Level 3, section 6.5.3).
public enum Attestation: String, Sendable, Hashable, CaseIterable {
    case none
    /// The new key itself, which proves that there is one and nothing else.
    case selfSigned
    /// A certificate that leads to none of the roots that the caller trusts: as good as the key itself.
    case untrusted
    /// A certificate that leads to one of them.
    case trusted
}
