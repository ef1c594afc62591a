// SPDX-License-Identifier: Apache-2.0

/// Names that stand for a secret, and what follows them in a text: `password=…`, `"token": "…"`,
/// `Authorization: Bearer …`.
struct SecretNames {
    /// The word before, where it may be the name of the next.
    private var name = ""
    private var isValue = false
    /// The quotation mark that ends what is hidden.
    private var quote: Unicode.Scalar?

    /// Whether a word is the value of such a name. Asked for each word of a text in turn, the empty ones among them.
    ///
    /// - Parameter separator: what ends the word; `nil` for the end of the text.
    mutating func hides(_ word: String, before separator: Unicode.Scalar?) -> Bool {
        if let quote {
            if separator == quote { (self.quote, isValue) = (nil, false) }
            return !word.isEmpty
        }
        if isValue {
            if word.isEmpty {
                if separator == "\"" || separator == "'" { quote = separator }
                return false
            }
            if word == ":" { return false }
            // `Bearer …`: the scheme is no secret, what follows it is.
            let isScheme = ["bearer", "basic"].contains(word.lowercased()) && separator == " "
            (isValue, name) = (isScheme, "")
            return !isScheme
        }
        if word.isEmpty {
            if separator == "=", Self.isOne(name) { (isValue, name) = (true, "") }
            return false
        }
        let isNamed: Bool
        if word == ":" {
            isNamed = Self.isOne(name)
            if isNamed, separator == "\"" || separator == "'" { quote = separator }
        } else {
            isNamed = (word.hasSuffix(":") || separator == "=") && Self.isOne(word)
        }
        (isValue, name) = (isNamed, word)
        return false
    }

    static func isOne(_ name: String) -> Bool { isOne(words(in: name)) }
    static func isOne(_ words: Set<String>) -> Bool { !words.isDisjoint(with: secrets) }

    /// Words that a name is made of: `accessToken`, `access_token`, `X-Access-Token`.
    static func words(in name: String) -> Set<String> {
        var words: [String] = [""]
        var previousIsLower = false
        for scalar in name.unicodeScalars.prefix(128) {
            let isUpper = (65...90).contains(scalar.value)
            let isLetter = isUpper || (97...122).contains(scalar.value)
            if !isLetter || isUpper && previousIsLower { words.append("") }
            if isLetter { words[words.count - 1] += scalar.properties.lowercaseMapping }
            previousIsLower = isLetter && !isUpper
        }
        return Set(words + [words.joined()])
    }

    static let secrets: Set<String> = [
        "password", "passwords", "passwd", "pwd", "passcode", "passphrase", "secret", "secrets", "token", "tokens",
        "authorization", "cookie", "cookies", "otp", "pin", "credential", "credentials", "jwt", "verifier", "nonce",
        "key", "keys", "apikey", "privatekey", "sessionkey", "hash", "ticket", "signature", "assertion",
    ]
}
