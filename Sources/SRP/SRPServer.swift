// SPDX-License-Identifier: Apache-2.0

/// The server's side of SRP-6a: one challenge, and the secret that only a client with the password shares.
///
/// It keeps nothing. Numbers are unsigned and big-endian, and may have leading zero bytes. A challenge costs a fifth of
/// an exponentiation (of the generator, from a table), the shared secret two, with exponents of 256 bits each.
public enum SRPServer {
    /// Bytes of a new ephemeral secret b (RFC 5054, section 3.1: at least 256 bits).
    public static let ephemeralByteCount = 32

    /// Whether A may be answered: 0 < A < N (RFC 5054, section 2.5.4, and the one spelling of each residue).
    public static func accepts(clientPublic: [UInt8]) -> Bool {
        guard let group = try? GroupArithmetic.shared() else { return false }
        return group.contains(clientPublic)
    }

    /// B = k·v + g^b.
    /// - Parameter ephemeral: b, ``ephemeralByteCount`` random bytes, used for this challenge only.
    /// - Throws: ``SRPError/outOfRange`` for a verifier outside 1 ..< N or a B of zero.
    public static func challenge(verifier: [UInt8], ephemeral: [UInt8]) throws(SRPError) -> [UInt8] {
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        let power = try group.generatorPower(ephemeral, scratch)
        let product = try group.product(group.element(verifier), SecretNumber.read(SRPGroup.multiplier), scratch)
        let result = try group.sum(product, power)
        guard !result.isZero else { throw .outOfRange }
        return try result.bytes()
    }

    /// S = (A · v^u)^b, and u = H(A | B).
    /// - Parameters:
    ///   - clientPublic: A as the client sent it.
    ///   - serverPublic: B as ``challenge(verifier:ephemeral:)`` gave it for the same `ephemeral` and `verifier`.
    /// - Returns: S with ``SRPGroup/byteCount`` bytes and u with 32, for
    ///   ``SRP/deriveKey(sharedSecret:scrambling:info:)``.
    /// - Throws: ``SRPError/outOfRange`` for A, B or v outside 1 ..< N, and for u = 0.
    public static func sharedSecret(
        clientPublic: [UInt8], serverPublic: [UInt8], ephemeral: [UInt8], verifier: [UInt8]
    ) throws(SRPError) -> (sharedSecret: [UInt8], scrambling: [UInt8]) {
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        let client = try group.element(clientPublic)
        _ = try group.element(serverPublic)
        let scrambling = SRP.scrambling(clientPublic: clientPublic, serverPublic: serverPublic)
        let exponent = try group.element(scrambling)
        let power = try group.power(group.element(verifier), exponent, scratch)
        let base = try group.product(client, power, scratch)
        return (try group.power(base, SecretNumber.read(ephemeral), scratch).bytes(), scrambling)
    }
}
