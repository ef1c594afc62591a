// SPDX-License-Identifier: Apache-2.0

/// How many bits the modulus of an RSA key has that we make: 112, 128 and about 140 bits of security (NIST SP 800-57
/// part 1, table 2). What each costs is in `docs/performance.md`.
public enum RSAKeySize: Int, Sendable, Codable, CaseIterable {
    /// What the vendors' own issuers use.
    case bits2048 = 2048
    /// About the strength of P-256 (NIST SP 800-57 part 1, table 2).
    case bits3072 = 3072
    /// More than most need: each signature takes several times as long.
    case bits4096 = 4096
}
