// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A password's hash in the text form that carries its algorithm, cost and salt: the PHC string format for Argon2id,
/// scrypt, PBKDF2 and the other kinds of Argon2, the crypt(3) form for bcrypt, the `fbscrypt` form of scrypt with a
/// signer key, and forms of our own for digests and MACs (see ``DigestHash``). New hashes are always Argon2id.
public struct PasswordHash: Sendable, Hashable {
    enum Algorithm: Sendable, Hashable {
        case argon2id(Argon2Parameters, salt: [UInt8], tag: [UInt8])
        case bcrypt
        case scrypt(ScryptParameters, salt: [UInt8], tag: [UInt8])
        case signerKeyScrypt(SignerKeyScrypt)
        case pbkdf2(PBKDF2Hash)
        case argon2Variant(Argon2Variant)
        case digest(DigestHash)
    }

    /// The whole text, as it is stored.
    public let encoded: String
    /// ``form``, where the text was read anyway.
    private let knownForm: String?

    /// What the text says, read when a password is compared and not each time that a user is looked up. `nil` for a
    /// text that is not of a supported form, or of an unbearable cost.
    var algorithm: Algorithm? { Self.parse(encoded) }

    /// Reads a hash that comes from elsewhere: only forms that can be verified, at a bearable cost.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for an unknown form or an unbearable cost. The hash is not repeated.
    public init(_ encoded: String) throws(AuthError) {
        guard let algorithm = Self.parse(encoded) else {
            throw AuthError(.invalidRequest, reason: "not a supported password hash", field: "password_hash")
        }
        self.encoded = encoded
        knownForm = Self.form(algorithm, encoded)
    }

    /// A hash that the store gives back as it was given. Were it damaged, comparing with it would fail and nothing
    /// else.
    public init(stored encoded: String) {
        self.encoded = encoded
        knownForm = nil
    }

    init(_ parameters: Argon2Parameters, salt: [UInt8], tag: [UInt8]) {
        encoded =
            "$argon2id$v=19$m=\(parameters.memoryKiB),t=\(parameters.iterations),p=\(parameters.parallelism)$"
            + Base64.encodeUnpadded(salt) + "$" + Base64.encodeUnpadded(tag)
        knownForm = Self.form(.argon2id(parameters, salt: salt, tag: tag), encoded)
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.encoded == rhs.encoded }

    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    private static func parse(_ text: String) -> Algorithm? {
        guard text.utf8.count <= 512 else { return nil }
        let parts = fields(text, UInt8(ascii: "$"))
        guard parts.count >= 4, parts[0].isEmpty else { return nil }
        switch parts[1] {
        case "argon2d", "argon2i": return Argon2Variant(parts[1...]).map { .argon2Variant($0) }
        // Of the names of a cost, only that of associated data has this letter.
        case "argon2id" where parts[2] != "v=19" || parts.count == 6 && parts[3].utf8.contains(UInt8(ascii: "d")):
            return Argon2Variant(parts[1...]).map { .argon2Variant($0) }
        case "argon2id":
            guard parts.count == 6, parts[2] == "v=19", let cost = numbers(parts[3], ["m", "t", "p"]),
                let memory = UInt32(exactly: cost[0]), let iterations = UInt32(exactly: cost[1]),
                let parallelism = UInt32(exactly: cost[2]), let salt = Base64.decodeUnpadded(parts[4]),
                let tag = Base64.decodeUnpadded(parts[5]), (8...64).contains(salt.count), (16...64).contains(tag.count)
            else { return nil }
            let parameters = Argon2Parameters(memoryKiB: memory, iterations: iterations, parallelism: parallelism)
            return parameters.isBearable ? .argon2id(parameters, salt: salt, tag: tag) : nil
        case "2a", "2b", "2y":
            guard parts.count == 4, parts[2].utf8.allSatisfy({ (48...57).contains($0) }), parts[2].utf8.count == 2,
                let cost = Int(parts[2]), (4...14).contains(cost),
                parts[3].utf8.count == 53,
                parts[3].utf8.allSatisfy({
                    (46...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                })
            else { return nil }
            return .bcrypt
        case "scrypt":
            guard parts.count == 5, let cost = numbers(parts[2], ["ln", "r", "p"]),
                let parameters = ScryptParameters(logN: cost[0], blockSize: cost[1], parallelism: cost[2]),
                let salt = Base64.decodeUnpadded(parts[3]), salt.count <= 64, let tag = Base64.decodeUnpadded(parts[4]),
                (16...64).contains(tag.count)
            else { return nil }
            return .scrypt(parameters, salt: salt, tag: tag)
        case "fbscrypt": return SignerKeyScrypt(parts[2...]).map { .signerKeyScrypt($0) }
        case "pbkdf2-sha256", "pbkdf2-sha1": return PBKDF2Hash(parts[1...]).map { .pbkdf2($0) }
        default: return DigestHash(parts[1...]).map { .digest($0) }
        }
    }

    /// What stands between the separators, empty ones too. By octets, since an import reads a thousand of these texts.
    static func fields(_ text: String, _ separator: UInt8) -> [String] {
        var text = text
        return text.withUTF8 { octets in
            octets.split(separator: separator, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    /// `m=19456,t=2,p=1` with exactly these names in this order.
    static func numbers(_ text: String, _ names: [String]) -> [Int]? {
        numbers(fields(text, UInt8(ascii: ","))[...], names)
    }

    /// As ``numbers(_:_:)``, of what stands between the commas.
    static func numbers(_ pairs: ArraySlice<String>, _ names: [String]) -> [Int]? {
        guard pairs.count == names.count else { return nil }
        var values: [Int] = []
        for (pair, name) in zip(pairs, names) {
            let (pair, name) = (pair.utf8, name.utf8)
            guard pair.starts(with: name), pair.dropFirst(name.count).first == UInt8(ascii: "=") else { return nil }
            let digits = pair.dropFirst(name.count + 1)
            guard (1...10).contains(digits.count) else { return nil }
            var value = 0
            for digit in digits {
                guard (48...57).contains(digit) else { return nil }
                value = value * 10 + Int(digit - 48)
            }
            values.append(value)
        }
        return values
    }

    /// Its kind and cost, such as `2:10` for bcrypt: to compare a password with two hashes of one form is the same
    /// work. Kept beside the hash, so that a Directory knows which forms it holds.
    public var form: String { knownForm ?? Self.form(algorithm, encoded) }

    private static func form(_ algorithm: Algorithm?, _ encoded: String) -> String {
        switch algorithm {
        case .argon2id(let cost, _, let tag):
            "argon2id:\(cost.memoryKiB):\(cost.iterations):\(cost.parallelism):\(tag.count)"
        case .bcrypt: "bcrypt:" + encoded.split(separator: "$").dropFirst().prefix(1).joined()
        case .scrypt(let cost, _, _): "scrypt:\(cost.logN):\(cost.blockSize):\(cost.parallelism)"
        case .signerKeyScrypt(let hash):
            "scrypt:\(hash.cost.logN):\(hash.cost.blockSize):\(hash.cost.parallelism)"
        // A second block costs all the rounds again.
        case .pbkdf2(let hash):
            "pbkdf2\(hash.isSHA1 ? "-sha1" : ""):\(hash.rounds):\((hash.tag.count - 1) / hash.blockLength + 1)"
        case .argon2Variant(let hash):
            "\(hash.name):\(hash.parameters.memoryKiB):\(hash.parameters.iterations):\(hash.parameters.parallelism)"
                + ":\(hash.tag.count)"
        case .digest(let hash): hash.form
        case nil: "damaged"
        }
    }

    /// A made-up hash of this form, to be compared with for its work alone. `nil` for a form that no hash has.
    public init?(madeUpOf form: String) {
        let parts = form.split(separator: ":")
        let numbers = parts.dropFirst().compactMap { Int($0) }
        func octets(_ count: Int) -> String {
            Base64.encodeUnpadded([UInt8](repeating: 0, count: min(max(count, 0), 64)))
        }
        let text: String
        switch (parts.first, numbers.count) {
        case ("argon2id", 4), ("argon2i", 4), ("argon2d", 4):
            text =
                "$\(parts[0])$v=19$m=\(numbers[0]),t=\(numbers[1]),p=\(numbers[2])$\(octets(16))$\(octets(numbers[3]))"
        case ("bcrypt", 1): text = "$2b$\(parts[1])$" + String(repeating: ".", count: 53)
        case ("scrypt", 3):
            text = "$scrypt$ln=\(numbers[0]),r=\(numbers[1]),p=\(numbers[2])$\(octets(16))$\(octets(32))"
        // In blocks, of which 64 octets have no more: a damaged store may say any number.
        case ("pbkdf2", 2) where 1...2 ~= numbers[1]:
            text = "$pbkdf2-sha256$i=\(numbers[0])$\(octets(16))$\(octets(32 * numbers[1]))"
        case ("pbkdf2-sha1", 2) where 1...4 ~= numbers[1]:
            text = "$pbkdf2-sha1$i=\(numbers[0])$\(octets(16))$\(octets(20 * numbers[1]))"
        case ("digest", 2): text = DigestHash.madeUp(length: numbers[0], rounds: numbers[1]) ?? ""
        default: return nil
        }
        guard let algorithm = Self.parse(text), Self.form(algorithm, text) == form else { return nil }
        encoded = text
        knownForm = form
    }

    /// Whether a hash made today would be another kind or cost: then a successful sign-in replaces it.
    public func needsRehash(to parameters: Argon2Parameters) -> Bool {
        guard case .argon2id(let own, _, let tag) = algorithm else { return true }
        return own != parameters || tag.count != Argon2.tagLength
    }
}

extension PasswordHash: CustomStringConvertible, CustomReflectable {
    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
