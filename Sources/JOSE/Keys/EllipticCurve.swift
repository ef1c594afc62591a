// SPDX-License-Identifier: Apache-2.0

/// The curves of RFC 7518, section 6.2.1.1, by their `crv`.
enum EllipticCurve: String, Sendable, CaseIterable {
    case p256 = "P-256"
    case p384 = "P-384"
    case p521 = "P-521"

    /// Bytes of a coordinate, and of a private key.
    var size: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        case .p521: 66
        }
    }

    /// The one algorithm a key of this curve signs with (RFC 7518, section 3.4).
    var algorithm: JWSAlgorithm {
        switch self {
        case .p256: .es256
        case .p384: .es384
        case .p521: .es512
        }
    }
}
