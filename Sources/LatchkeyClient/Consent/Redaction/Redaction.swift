// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Takes out of what leaves the device what says who somebody is, and always what opens something (G-11.6, G-11.7).
public struct Redaction: Sendable {
    /// What takes an address's place.
    public enum Digest: Sendable, Hashable {
        /// HMAC-SHA-256 under the installation's key: a plain hash of an address can be guessed.
        case keyed
        /// SHA-256 of the address in lower case, for those who must join on it.
        case plain
    }

    private let key: Secret<[UInt8]>
    private let digest: Digest
    private let sessionID: String
    private let keepsPersonalData: Bool

    /// - Parameters:
    ///   - key: of this installation (``InstallationKey``).
    ///   - sessionID: what takes the place of a device's identifier: new with each start of the app.
    ///   - keepsPersonalData: what the user agreed to by ``PrivacyConsent/personalizedData``.
    public init(key: Secret<[UInt8]>, digest: Digest = .keyed, sessionID: String, keepsPersonalData: Bool = false) {
        self.key = key
        self.digest = digest
        self.sessionID = sessionID
        self.keepsPersonalData = keepsPersonalData
    }

    /// What stands in the place of what may not leave.
    public static let redacted = "[REDACTED]"

    /// One-way, and the same for the same address on this installation.
    public func digest(of text: String) -> String {
        let bytes = Array(text.lowercased().utf8)
        switch digest {
        case .plain: return Hex.encode(SHA256.hash(data: bytes))
        case .keyed:
            return Hex.encode(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key.reveal())))
        }
    }

    /// The same without what may not leave, in texts, names and values alike.
    public func redacting(_ object: JSONObject) -> JSONObject {
        var result = JSONObject()
        for member in object.members { result[redacting(member.name)] = redacting(member.value, named: member.name) }
        return result
    }

    private func redacting(_ value: JSONValue, named name: String) -> JSONValue {
        let words = SecretNames.words(in: name)
        if SecretNames.isOne(words) { return .string(Self.redacted) }
        if words.contains("code"), case .string(let text) = value, !Self.isErrorCode(text) {
            return .string(Self.redacted)
        }
        if !keepsPersonalData {
            if words.contains("device"), words.contains("id") || words.contains("identifier") {
                return .string(sessionID)
            }
            if !words.isDisjoint(with: Self.personal), !words.contains("provider") { return .string(Self.redacted) }
        }
        switch value {
        case .string(let text): return .string(redacting(text))
        case .array(let elements): return .array(elements.map { redacting($0, named: name) })
        case .object(let object): return .object(redacting(object))
        // A code or a telephone number is what it is, written as a number too.
        case .integer(let number): return redacting(String(number)) == String(number) ? value : .string(Self.redacted)
        case .number(let number):
            // What is before the point, of what a whole number could be.
            guard let whole = Int64(exactly: number.rounded(.towardZero)) else { return .string(Self.redacted) }
            return redacting(String(whole)) == String(whole) ? value : .string(Self.redacted)
        case .null, .bool: return value
        }
    }

    /// A text of any kind, word by word. What is said to be a secret (`password=…`, `token: …`) goes, whatever it looks
    /// like.
    public func redacting(_ text: String) -> String {
        var result = ""
        var word = ""
        var names = SecretNames()
        for scalar in text.unicodeScalars {
            if Self.separates(scalar) {
                result += names.hides(word, before: scalar) ? Self.redacted : redacting(word: word)
                result.unicodeScalars.append(scalar)
                word = ""
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return result + (names.hides(word, before: nil) ? Self.redacted : redacting(word: word))
    }

    private func redacting(word: String) -> String {
        if let network = NetworkPrefix.text(of: word) { return keepsPersonalData ? word : network }
        // The end of a sentence is none of an address's.
        let end = word.reversed().prefix { ".:".contains($0) }.count
        let core = String(word.dropLast(end))
        let tail = String(word.suffix(end))
        if let network = NetworkPrefix.text(of: core) { return keepsPersonalData ? word : network + tail }
        if !keepsPersonalData, PersonalWord.isOne(core) { return Self.redacted + tail }
        guard let colon = core.firstIndex(of: ":"), !Self.looksSecret(core) else {
            return redacting(part: core) + tail
        }
        // A name or a port beside an address: `host:192.0.2.7:443`, `mailto:ann@a.test`.
        let name = String(core[..<colon])
        let rest = String(core[core.index(after: colon)...])
        if SecretNames.isOne(name) { return name + ":" + Self.redacted + tail }
        if let network = NetworkPrefix.text(of: rest) {
            return name + ":" + (keepsPersonalData ? rest : network) + tail
        }
        let parts = core.split(separator: ":", omittingEmptySubsequences: false)
        return parts.map { redacting(part: String($0)) }.joined(separator: ":") + tail
    }

    private func redacting(part: String) -> String {
        if let network = NetworkPrefix.text(of: part) { return keepsPersonalData ? part : network }
        if part.contains("@") {
            if keepsPersonalData { return part }
            guard let address = try? EmailAddress(part) else { return Self.redacted }
            return digest(of: address.rawValue)
        }
        if Self.looksSecret(part) { return Self.redacted }
        return !keepsPersonalData && PersonalWord.isOne(part) ? Self.redacted : part
    }

    private static let personal: Set<String> = [
        "name", "firstname", "lastname", "username", "nickname", "phone", "birthdate", "birthday", "picture", "avatar",
        "street", "postcode", "gender",
    ]

    /// A code that says what went wrong, or in which country: a word, or a status. What somebody was sent or wrote down
    /// has digits among its letters, or hyphens.
    private static func isErrorCode(_ text: String) -> Bool {
        let isWord =
            text.utf8.count <= 64 && text.utf8.allSatisfy { (97...122).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
        let isStatus = text.utf8.count <= 3 && text.utf8.allSatisfy { (48...57).contains($0) }
        return isWord || isStatus
    }

    private static func separates(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "\"'`<>()[]{},;=&?/|\\#!".unicodeScalars.contains(scalar)
    }

    /// What nobody would have written as a word: a JWT, a key, an identifier; or a code of digits.
    private static func looksSecret(_ word: String) -> Bool {
        let bytes = word.utf8
        if bytes.count >= 6, bytes.allSatisfy({ (48...57).contains($0) }) { return true }
        guard bytes.count >= 20, bytes.contains(where: { (48...57).contains($0) }) else {
            return bytes.count >= 40 || word.hasPrefix("eyJ")
        }
        return bytes.contains { (97...122).contains($0 | 0x20) }
    }
}
