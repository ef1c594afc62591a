// SPDX-License-Identifier: Apache-2.0

/// Why libcrypto could not read or use an RSA key.
public enum RSAError: Error, Equatable, Sendable {
    /// Not an `RSAPrivateKey`, or its numbers are not those of one key.
    case invalidKey
    /// libcrypto refused: it has no memory or no randomness, or the algorithm is not RSA's.
    case failed
}
