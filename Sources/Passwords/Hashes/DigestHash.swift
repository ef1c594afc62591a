// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A digest or a MAC of salt and password, as systems kept it that knew no better. Only imported hashes are of this
/// kind.
///
/// In text `$sha256$r=1,o=sp$salt$hash` for MD5, SHA-1, SHA-256 and SHA-512 (`md5`, `sha1`, `sha256`, `sha512`), and
/// `$hmac-sha256$k=…,o=ps$salt$hash` for the MAC under a key (RFC 2104) with each of them. `r` counts how often the
/// digest is taken, of salt and password at first and then of the digest before; `o` says what comes first, `s`alt or
/// `p`assword. Octets are in Base64 without padding. Of MD5 the hash may be the digest's 32 hexadecimal digits, too.
struct DigestHash: Sendable, Hashable {
    enum Function: String, CaseIterable, Sendable {
        case md5, sha1, sha256, sha512

        /// Octets.
        var length: Int {
            switch self {
            case .md5: 16
            case .sha1: 20
            case .sha256: 32
            case .sha512: 64
            }
        }
    }

    private static let mac = "hmac-"
    private static let orders = ["sp", "ps"]
    private static let keyLengths = 1...192

    let function: Function
    /// `nil` for a digest without one.
    let key: [UInt8]?
    let rounds: Int
    let saltFirst: Bool
    let salt: [UInt8]
    let tag: [UInt8]

    /// - Parameter parts: the text's parts, its name first.
    init?(_ parts: ArraySlice<String>) {
        guard parts.count == 4, let name = parts.first, let tagText = parts.last,
            let saltText = parts.dropFirst(2).first, let fields = parts.dropFirst().first?.split(separator: ","),
            fields.count == 2, fields[1].hasPrefix("o="), Self.orders.contains(String(fields[1].dropFirst(2))),
            let salt = Base64.decodeUnpadded(saltText), salt.count <= 64, let tag = Base64.decodeUnpadded(tagText)
        else { return nil }
        if name.hasPrefix(Self.mac) {
            guard let function = Function(rawValue: String(name.dropFirst(Self.mac.count))), fields[0].hasPrefix("k="),
                let key = Base64.decodeUnpadded(String(fields[0].dropFirst(2))), Self.keyLengths.contains(key.count),
                tag.count == function.length
            else { return nil }
            (self.function, self.key, rounds) = (function, key, 1)
        } else {
            guard let function = Function(rawValue: name),
                let numbers = PasswordHash.numbers(String(fields[0]), ["r"]), (1...8192).contains(numbers[0]),
                tag.count == function.length || function == .md5 && tag.count == 2 * function.length
            else { return nil }
            (self.function, key, rounds) = (function, nil, numbers[0])
        }
        saltFirst = fields[1].hasSuffix(Self.orders[0])
        self.salt = salt
        self.tag = tag
    }

    /// Against the work of any other hash, a few rounds are none, whatever the function.
    var form: String { rounds <= 16 ? "digest:32:1" : "digest:\(function.length):\(rounds)" }

    /// The text of one with digests of so many octets.
    static func madeUp(length: Int, rounds: Int) -> String? {
        guard let function = Function.allCases.first(where: { $0.length == length }) else { return nil }
        let tag = Base64.encodeUnpadded([UInt8](repeating: 0, count: length))
        return "$\(function.rawValue)$r=\(rounds),o=sp$AAAA$\(tag)"
    }

    func matches(_ password: [UInt8]) -> Bool {
        let text = saltFirst ? salt + password : password + salt
        var digest = key.map { code(of: text, under: $0) } ?? self.digest(of: text)
        for _ in 1..<rounds { digest = self.digest(of: digest) }
        return constantTimeEqual(tag.count == digest.count ? digest : Array(Hex.encode(digest).utf8), tag)
    }

    private func digest(of text: [UInt8]) -> [UInt8] {
        switch function {
        case .md5: Array(Insecure.MD5.hash(data: text))
        case .sha1: Array(Insecure.SHA1.hash(data: text))
        case .sha256: Array(SHA256.hash(data: text))
        case .sha512: Array(SHA512.hash(data: text))
        }
    }

    private func code(of text: [UInt8], under key: [UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: key)
        return switch function {
        case .md5: Array(HMAC<Insecure.MD5>.authenticationCode(for: text, using: key))
        case .sha1: Array(HMAC<Insecure.SHA1>.authenticationCode(for: text, using: key))
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: text, using: key))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: text, using: key))
        }
    }
}
