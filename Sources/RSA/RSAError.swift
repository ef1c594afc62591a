// SPDX-License-Identifier: Apache-2.0

/// Why libcrypto could not make, read or use an RSA key.
public enum RSAError: Error, Equatable, Sendable {
    /// The numbers are not those of one key, or of a size that is not used.
    case invalidKey
    /// libcrypto refused: it has no memory or no randomness, or the algorithm is not RSA's.
    case failed
}
