// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The numbers of a key, each as its JWK holds it, already checked for length.
enum KeyMaterial: Sendable {
    struct RSAPrivate: Sendable {
        var d: [UInt8]
        var p: [UInt8]
        var q: [UInt8]
        var dp: [UInt8]
        var dq: [UInt8]
        var qi: [UInt8]
    }

    case elliptic(EllipticCurve, x: [UInt8], y: [UInt8], d: Secret<[UInt8]>?)
    case rsa(n: [UInt8], e: [UInt8], private: Secret<RSAPrivate>?)
    case edwards(x: [UInt8], d: Secret<[UInt8]>?)
    case symmetric(Secret<[UInt8]>)

    /// Whether it holds anything that must not be published.
    var isSecret: Bool {
        switch self {
        case .elliptic(_, _, _, let d): d != nil
        case .rsa(_, _, let numbers): numbers != nil
        case .edwards(_, let d): d != nil
        case .symmetric: true
        }
    }

    var isSymmetric: Bool { if case .symmetric = self { true } else { false } }

    /// The part that may be published; `nil` where there is none.
    var publicPart: KeyMaterial? {
        switch self {
        case .elliptic(let curve, let x, let y, _): .elliptic(curve, x: x, y: y, d: nil)
        case .rsa(let n, let e, _): .rsa(n: n, e: e, private: nil)
        case .edwards(let x, _): .edwards(x: x, d: nil)
        case .symmetric: nil
        }
    }

    /// What a key of this kind and size can sign with.
    var algorithms: [JWSAlgorithm] {
        switch self {
        case .elliptic(let curve, _, _, _): [curve.algorithm]
        case .rsa: [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
        case .edwards: [.edDSA]
        case .symmetric(let secret):
            [JWSAlgorithm.hs256, .hs384, .hs512].filter { secret.reveal().count >= $0.smallestSecret }
        }
    }
}

extension JWSAlgorithm {
    /// Bytes an HMAC key must have: those of the hash (RFC 7518, section 3.2). Zero for the other algorithms.
    public var smallestSecret: Int {
        switch self {
        case .hs256: 32
        case .hs384: 48
        case .hs512: 64
        default: 0
        }
    }
}
