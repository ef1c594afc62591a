// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SelfHostedEnvironment {
    /// `true`, `false`, and the further spellings that the platform's own reader takes.
    static func flag(_ text: String) throws(AuthError) -> Bool {
        switch text {
        case "1", "t", "T", "true", "TRUE", "True": return true
        case "0", "f", "F", "false", "FALSE", "False": return false
        default: throw AuthError(.invalidRequest, reason: "expected true or false")
        }
    }

    static func whole(_ text: String, in range: ClosedRange<Int64>) throws(AuthError) -> Int64 {
        guard let value = Int64(text), range.contains(value) else {
            throw AuthError(
                .invalidRequest, reason: "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    static func port(_ text: String) throws(AuthError) -> Int { Int(try whole(text, in: 1...65_535)) }

    static func seconds(_ text: String) throws(AuthError) -> Int64 { try span(text).seconds }

    private static func span(_ text: String) throws(AuthError) -> TimeSpan {
        do {
            return try DurationText(text).span
        } catch {
            throw AuthError(.invalidRequest, reason: "expected a duration such as 24h or 30m")
        }
    }

    /// A time between two messages, in seconds; `nil` for none at all, which the platform's own reader takes for no
    /// word of it: what holds there then is a minute, as without the variable.
    static func interval(_ text: String) throws(AuthError) -> Int64? {
        let span = try span(text)
        return span == .zero ? nil : span.seconds
    }

    /// The host of a web address, without its port; `nil` for another address.
    static func host(of url: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) }) else { return nil }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else { return nil }
        if authority.hasPrefix("[") { return authority.firstIndex(of: "]").map { String(authority[...$0]) } }
        let host = authority.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }

    static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { trimmed($0) }.filter { !$0.isEmpty }
    }

    /// A number of events in the period that the variable is about, or `events/duration`.
    static func rate(_ text: String, per seconds: Int64) throws(AuthError) -> DirectorySettings.Rate {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if parts.count == 2, let count = Int(parts[0]), count >= 0 {
            let period = try Self.seconds(parts[1])
            guard period > 0 else { throw AuthError(.invalidRequest, reason: "expected a period above zero") }
            return DirectorySettings.Rate(count: count, seconds: period)
        }
        guard let value = Double(text), value >= 0, value <= 1_000_000_000 else {
            throw AuthError(.invalidRequest, reason: "expected a number, or a number/duration such as 30/1h")
        }
        return DirectorySettings.Rate(count: Int(value.rounded(.up)), seconds: seconds)
    }

    /// Codes by the digits of their numbers: `number:code` pairs with commas between them, or `number=code`, as the
    /// platform's own tooling keeps them.
    static func testCodes(_ text: String) throws(AuthError) -> JSONObject {
        var codes = JSONObject()
        for pair in list(text) {
            let parts = pair.split(separator: pair.contains(":") ? ":" : "=", omittingEmptySubsequences: false)
                .map { trimmed($0) }
            guard parts.count == 2, let number = try? PhoneNumber(parts[0]), !parts[1].isEmpty else {
                throw AuthError(.invalidRequest, reason: "expected number:code pairs with commas between them")
            }
            codes[number.digits] = .string(parts[1])
        }
        return codes
    }

    /// Sets of characters between colons; `\:` is a colon in a set.
    static func requiredCharacters(_ text: String) -> [String] {
        var sets: [String] = []
        var current = ""
        var escaped = false
        for character in text {
            if escaped {
                if character != ":" { current.append("\\") }
                current.append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == ":" {
                sets.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        if escaped { current.append("\\") }
        sets.append(current)
        return sets.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
