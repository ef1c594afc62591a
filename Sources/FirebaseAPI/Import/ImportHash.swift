// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How the hashes of an import were made: what `hashAlgorithm` and the members beside it say, and the text form of one
/// hash that comes of it.
struct ImportHash {
    /// What stands before salt and hash in the text form; `nil` for bcrypt, whose own text has all.
    private let prefix: String?

    /// `nil` where the body names no algorithm.
    ///
    /// - Throws: `INVALID_HASH_ALGORITHM`, or the name of the member that the algorithm needs otherwise.
    init?(_ body: Input) throws(WireError) {
        guard let algorithm = try body.given("hashAlgorithm"), algorithm != "HASH_ALGORITHM_UNSPECIFIED" else {
            return nil
        }
        switch algorithm {
        case "BCRYPT": prefix = nil
        case "SCRYPT":
            let cost = try Self.number(body, "memoryCost", 1...14, "MEMORY_COST")
            let rounds = try Self.number(body, "rounds", 1...8, "ROUNDS")
            let separator = try Self.octets(body, "saltSeparator", 0...64, "SALT_SEPARATOR")
            let key = try Self.octets(body, "signerKey", 16...128, "KEY")
            prefix = "$fbscrypt$v=1,n=\(cost),r=\(rounds),p=1,ss=\(Base64.encode(separator)),sk=\(Base64.encode(key))$"
        case "STANDARD_SCRYPT":
            let cost = try Self.number(body, "cpuMemCost", 2...(1 << 20), "MEMORY_COST")
            guard cost & (cost - 1) == 0 else { throw Self.invalid("MEMORY_COST", "A power of two is needed.") }
            let block = try Self.number(body, "blockSize", 1...32, "BLOCK_SIZE")
            let lanes = try Self.number(body, "parallelization", 1...16, "PARALLELIZATION")
            prefix = "$scrypt$ln=\(cost.trailingZeroBitCount),r=\(block),p=\(lanes)$"
        case "PBKDF_SHA1", "PBKDF2_SHA256":
            let rounds = try Self.number(body, "rounds", 0...120_000, "ROUNDS")
            prefix = "$pbkdf2-\(algorithm == "PBKDF_SHA1" ? "sha1" : "sha256")$i=\(max(1, rounds))$"
        case "MD5", "SHA1", "SHA256", "SHA512":
            let rounds = try Self.number(body, "rounds", 0...8192, "ROUNDS")
            let order = try Self.order(body) ?? "sp"
            prefix = "$\(algorithm.lowercased())$r=\(max(1, rounds)),o=\(order)$"
        case "HMAC_MD5", "HMAC_SHA1", "HMAC_SHA256", "HMAC_SHA512":
            let key = try Self.octets(body, "signerKey", 1...192, "KEY")
            let order = try Self.order(body) ?? "ps"
            prefix = "$hmac-\(algorithm.dropFirst(5).lowercased())$k=\(Base64.encodeUnpadded(key)),o=\(order)$"
        case "ARGON2": prefix = try Self.argon2(try body.members("argon2Parameters") ?? Input(object: [:]))
        default: throw WireError("INVALID_HASH_ALGORITHM")
        }
    }

    /// The text form of one hash; `nil` for octets that can be none.
    func text(_ hash: String, salt: String?) -> String? {
        guard let octets = Self.decode(hash) else { return nil }
        guard let prefix else { return String(strictUTF8: octets) }
        guard let salt = Self.decode(salt ?? "") else { return nil }
        return prefix + Base64.encodeUnpadded(salt) + "$" + Base64.encodeUnpadded(octets)
    }

    private static func argon2(_ parameters: Input) throws(WireError) -> String {
        let types = ["HASH_TYPE_UNSPECIFIED", "ARGON2_D", "ARGON2_ID", "ARGON2_I"]
        let type: String
        switch try parameters.enumeration("hashType", types) {
        case "ARGON2_D": type = "argon2d"
        case "ARGON2_ID": type = "argon2id"
        case "ARGON2_I": type = "argon2i"
        default: throw invalid("ALGORITHM", "argon2Parameters.hashType is needed.")
        }
        let versions = ["VERSION_UNSPECIFIED", "VERSION_10", "VERSION_13"]
        let version = try parameters.enumeration("version", versions) == "VERSION_10" ? 16 : 19
        let memory = try number(parameters, "memoryCostKib", 8...(1 << 18), "MEMORY_COST")
        let iterations = try number(parameters, "iterations", 1...10, "ROUNDS")
        let lanes = try number(parameters, "parallelism", 1...16, "PARALLELIZATION")
        let data = try octets(parameters, "associatedData", 0...32, "KEY")
        let suffix = data.isEmpty ? "" : ",data=" + Base64.encodeUnpadded(data)
        return "$\(type)$v=\(version)$m=\(memory),t=\(iterations),p=\(lanes)\(suffix)$"
    }

    /// Which comes first, salt or password; `nil` for the order that the algorithm has by itself.
    private static func order(_ body: Input) throws(WireError) -> String? {
        let orders = ["UNSPECIFIED_ORDER", "SALT_AND_PASSWORD", "PASSWORD_AND_SALT"]
        switch try body.enumeration("passwordHashOrder", orders) {
        case "SALT_AND_PASSWORD": return "sp"
        case "PASSWORD_AND_SALT": return "ps"
        default: return nil
        }
    }

    private static func number(
        _ body: Input, _ name: String, _ range: ClosedRange<Int64>, _ code: String
    ) throws(WireError) -> Int64 {
        let number = try body.number(name) ?? 0
        guard range.contains(number) else {
            throw invalid(code, "\(name) must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func octets(
        _ body: Input, _ name: String, _ range: ClosedRange<Int>, _ code: String
    ) throws(WireError) -> [UInt8] {
        guard let octets = decode(try body.text(name) ?? ""), range.contains(octets.count) else {
            throw invalid(code, "\(name) must be Base64 of \(range.lowerBound) to \(range.upperBound) octets.")
        }
        return octets
    }

    private static func invalid(_ code: String, _ explanation: String) -> WireError {
        WireError("INVALID_HASH_" + code, explanation)
    }

    /// Either alphabet, padded or not: the SDKs' differ.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        for index in digits.indices {
            switch digits[index] {
            case UInt8(ascii: "-"): digits[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): digits[index] = UInt8(ascii: "/")
            default: break
            }
        }
        return Base64.decodeUnpadded(String(decoding: digits, as: UTF8.self))
    }
}
