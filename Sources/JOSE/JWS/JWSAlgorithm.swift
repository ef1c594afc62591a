// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm of JWS (RFC 7518, section 3.1; RFC 8037, section 3.1). An open set: a token may name anything,
/// and only those listed in ``allKnown`` can be signed or verified. `none` is not among them.
public struct JWSAlgorithm: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    /// The name's five letters as a number; 0 for a name of another length. Names that are known have one, so that
    /// telling them apart is one comparison.
    private let code: UInt64

    public init(rawValue: String) {
        self.rawValue = rawValue
        code = rawValue.utf8.count == 5 ? rawValue.utf8.reduce(0) { $0 << 8 | UInt64($1) } : 0
    }

    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3).
    public static let rs256 = Self(rawValue: "RS256")
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    public static let rs384 = Self(rawValue: "RS384")
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    public static let rs512 = Self(rawValue: "RS512")
    /// RSASSA-PSS with SHA-256 (RFC 7518, section 3.5).
    public static let ps256 = Self(rawValue: "PS256")
    /// RSASSA-PSS with SHA-384.
    public static let ps384 = Self(rawValue: "PS384")
    /// RSASSA-PSS with SHA-512.
    public static let ps512 = Self(rawValue: "PS512")
    /// ECDSA on P-256 with SHA-256 (RFC 7518, section 3.4).
    public static let es256 = Self(rawValue: "ES256")
    /// ECDSA on P-384 with SHA-384.
    public static let es384 = Self(rawValue: "ES384")
    /// ECDSA on P-521 with SHA-512.
    public static let es512 = Self(rawValue: "ES512")
    /// Ed25519 (RFC 8037, section 3.1).
    public static let edDSA = Self(rawValue: "EdDSA")
    /// HMAC with SHA-256 (RFC 7518, section 3.2): for the server's own tokens alone.
    public static let hs256 = Self(rawValue: "HS256")
    /// HMAC with SHA-384.
    public static let hs384 = Self(rawValue: "HS384")
    /// HMAC with SHA-512.
    public static let hs512 = Self(rawValue: "HS512")

    /// Every algorithm that this library verifies.
    public static let allKnown: [JWSAlgorithm] = [
        rs256, rs384, rs512, ps256, ps384, ps512, es256, es384, es512, edDSA, hs256, hs384, hs512,
    ]

    /// ``allKnown`` as a set.
    public static let everyOne = Set(allKnown)

    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.code == rhs.code && (lhs.code != 0 || lhs.rawValue == rhs.rawValue)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        if code == 0 { hasher.combine(rawValue) }
    }

    /// Whether one secret both signs and verifies.
    public var isSymmetric: Bool { self == .hs256 || self == .hs384 || self == .hs512 }
}

extension JWSAlgorithm: CustomStringConvertible {
    public var description: String { rawValue }
}
