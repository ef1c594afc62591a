// SPDX-License-Identifier: Apache-2.0

/// A signature algorithm of JWS (RFC 7518, section 3.1; RFC 8037, section 3.1). An open set: a token may name anything,
/// and only those listed in ``allKnown`` can be signed or verified. `none` is not among them.
public struct JWSAlgorithm: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public static let rs256 = Self("RS256")
    public static let rs384 = Self("RS384")
    public static let rs512 = Self("RS512")
    public static let ps256 = Self("PS256")
    public static let ps384 = Self("PS384")
    public static let ps512 = Self("PS512")
    public static let es256 = Self("ES256")
    public static let es384 = Self("ES384")
    public static let es512 = Self("ES512")
    public static let edDSA = Self("EdDSA")
    public static let hs256 = Self("HS256")
    public static let hs384 = Self("HS384")
    public static let hs512 = Self("HS512")

    public static let allKnown: [JWSAlgorithm] = [
        rs256, rs384, rs512, ps256, ps384, ps512, es256, es384, es512, edDSA, hs256, hs384, hs512,
    ]

    /// ``allKnown`` as a set.
    public static let everyOne = Set(allKnown)

    /// Whether one secret both signs and verifies.
    public var isSymmetric: Bool { self == .hs256 || self == .hs384 || self == .hs512 }
}

extension JWSAlgorithm: CustomStringConvertible {
    public var description: String { rawValue }
}
