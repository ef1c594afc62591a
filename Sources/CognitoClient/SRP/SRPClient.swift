// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The client's side of SRP-6a (RFC 5054) as user pools do it: the service learns that the device has the password, and
/// nothing else. Used for one sign-in.
struct SRPClient: Sendable {
    /// a, 256 random bits.
    private let secret: Secret<[UInt64]>
    /// A = g^a.
    let publicKey: [UInt8]

    /// - Parameter random: 32 bytes of it are the exponent.
    init(random: any RandomSource) {
        self.init(exponent: random.bytes(32))
    }

    init(exponent: [UInt8]) {
        let words = SRPNumber.words(exponent, count: 4) ?? [1, 0, 0, 0]
        let group = SRPGroup.arithmetic
        secret = Secret(words)
        publicKey = SRPNumber.bytes(group.decode(group.powerOfTwo(words)))
    }

    /// `SRP_A`.
    var publicText: String { Self.hexadecimal(publicKey) }

    /// The key that both sides have if the password is right: 16 bytes.
    ///
    /// - Parameters:
    ///   - realm: the pool's name without its region.
    ///   - identity: `USER_ID_FOR_SRP`, as the service calls the user.
    ///   - salt: `SALT`, in hexadecimal.
    ///   - serverKey: `SRP_B`, in hexadecimal.
    /// - Returns: `nil` for numbers with which the service would show nothing itself: B or u of zero, or no number of
    ///   the group at all (RFC 5054, section 2.5.4).
    func key(
        realm: String, identity: String, password: Secret<String>, salt: String, serverKey: String
    ) -> [UInt8]? {
        let group = SRPGroup.arithmetic
        guard salt.utf8.count <= 512, serverKey.utf8.count <= 2 * 8 * SRPGroup.wordCount,
            let salt = Self.bytes(salt), let serverBytes = Self.bytes(serverKey),
            let server = SRPNumber.words(serverBytes, count: SRPGroup.wordCount).map(group.reduced),
            server.contains(where: { $0 != 0 })
        else { return nil }
        let scrambling = Self.hash(SRPNumber.signed(publicKey), SRPNumber.signed(serverBytes))
        guard scrambling.contains(where: { $0 != 0 }), let u = SRPNumber.words(scrambling, count: 4) else { return nil }
        let x = Self.exponent(realm: realm, identity: identity, password: password, salt: salt)
        // (B - k·g^x)^(a + u·x)
        let verifier = group.product(SRPGroup.multiplier, group.powerOfTwo(x))
        let base = group.difference(group.encode(server), verifier)
        // u and x have 256 bits, and so has a: the sum has one more than the product.
        let shared = group.decode(group.power(base, SRPNumber.exponent(u, times: x, plus: secret.reveal()), bits: 513))
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: SRPNumber.signed(SRPNumber.bytes(shared))),
            salt: SRPNumber.signed(scrambling), info: Array("Caldera Derived Key".utf8), outputByteCount: 16
        ).withUnsafeBytes { Array($0) }
    }

    /// v = g^x, by which somebody else can be shown the password without having it: big-endian, with leading zeros.
    static func verifier(realm: String, identity: String, password: Secret<String>, salt: [UInt8]) -> [UInt8] {
        let group = SRPGroup.arithmetic
        let x = exponent(realm: realm, identity: identity, password: password, salt: salt)
        return SRPNumber.bytes(group.decode(group.powerOfTwo(x)))
    }

    /// x = H(salt | H(realm | identity | ":" | password)).
    private static func exponent(
        realm: String, identity: String, password: Secret<String>, salt: [UInt8]
    ) -> [UInt64] {
        let inner = hash(Array("\(realm)\(identity):\(password.reveal())".utf8))
        // A digest has four words.
        return SRPNumber.words(hash(SRPNumber.signed(salt), inner), count: 4) ?? []
    }

    /// `PASSWORD_CLAIM_SIGNATURE`: shows the key without showing it.
    static func claim(
        key: [UInt8], realm: String, identity: String, secretBlock: [UInt8], timestamp: String
    ) -> String {
        let text = Array("\(realm)\(identity)".utf8) + secretBlock + Array(timestamp.utf8)
        return Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key))))
    }

    /// `TIMESTAMP`: `Tue Mar 3 04:05:06 UTC 2026`.
    static func timestamp(_ now: Instant) -> String {
        let text = now.rfc3339
        let days = now.seconds >= 0 ? now.seconds / 86_400 : (now.seconds - 86_399) / 86_400
        let weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(((days + 4) % 7 + 7) % 7)]
        let date = text.prefix(10).split(separator: "-")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard date.count == 3, let month = Int(date[1]), months.indices.contains(month - 1), let day = Int(date[2])
        else {
            return ""
        }
        return "\(weekday) \(months[month - 1]) \(day) \(text.dropFirst(11).prefix(8)) UTC \(date[0])"
    }

    private static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(data: part) }
        return Array(hash.finalize())
    }

    /// Lower case, without leading zeros.
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let text = Hex.encode(bytes).drop { $0 == "0" }
        return text.isEmpty ? "0" : String(text)
    }

    private static func bytes(_ text: String) -> [UInt8]? { Hex.decode(text.utf8.count % 2 == 0 ? text : "0" + text) }
}
