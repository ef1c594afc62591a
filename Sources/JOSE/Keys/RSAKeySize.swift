// SPDX-License-Identifier: Apache-2.0

/// How many bits the modulus of an RSA key has that we make: 112, 128 and about 140 bits of security (NIST SP 800-57
/// part 1, table 2). What each costs is in `docs/performance.md`.
public enum RSAKeySize: Int, Sendable, Codable, CaseIterable {
    /// What the vendors' own issuers use.
    case bits2048 = 2048
    case bits3072 = 3072
    case bits4096 = 4096
}
