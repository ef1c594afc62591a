// SPDX-License-Identifier: Apache-2.0

import JOSE

/// A signature algorithm by its number in COSE (RFC 9053; RFC 8812), with the curve that Web Authentication binds it to
/// (Level 3, section 5.8.5).
public enum COSEAlgorithm: Int64, Sendable, Hashable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = -7
    /// Ed25519.
    case edDSA = -8
    /// ECDSA on P-384 with SHA-384.
    case es384 = -35
    /// ECDSA on P-521 with SHA-512.
    case es512 = -36
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = -257

    /// What a relying party should offer so that every authenticator has one (section 5.4.3), the best first.
    public static let offered: [COSEAlgorithm] = [.es256, .edDSA, .rs256]

    /// What the same signatures are called in tokens.
    var jose: JWSAlgorithm {
        switch self {
        case .es256: .es256
        case .edDSA: .edDSA
        case .es384: .es384
        case .es512: .es512
        case .rs256: .rs256
        }
    }
}
