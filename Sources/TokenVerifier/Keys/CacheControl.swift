// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a response says of its own life (RFC 9111).
package enum CacheControl {
    /// The time for which a response may still be used: its `max-age` less its `Age`. Zero when it may not be kept at
    /// all, or when what it says cannot be read (section 4.2.1); `nil` when it says nothing.
    ///
    /// - Parameters:
    ///   - fields: The values of all its `Cache-Control` fields.
    ///   - age: The value of its `Age` field: seconds.
    package static func life(_ fields: [String], age: String?) -> TimeSpan? {
        var life: TimeSpan?
        for field in fields {
            for directive in field.split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = parts.first.map({ trimmed($0).lowercased() }) else { continue }
                switch name {
                case "no-store", "no-cache": life = .zero
                case "max-age":
                    let seconds = parts.count == 2 ? number(trimmed(parts[1]).dropQuotes) : nil
                    life = min(life ?? .seconds(.max), .seconds(seconds ?? 0))
                default: break
                }
            }
        }
        let passed = age.flatMap { number(trimmed($0[...])) } ?? 0
        return life.map { TimeSpan(microseconds: max(0, $0.microseconds - TimeSpan.seconds(passed).microseconds)) }
    }

    /// Digits alone; a number beyond the range counts as its end (section 1.2.2).
    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? .max
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isBlank)
        while text.last.map(isBlank) == true { text.removeLast() }
        return text
    }
}

extension Substring {
    fileprivate var dropQuotes: Substring {
        count > 1 && first == "\"" && last == "\"" ? dropFirst().dropLast() : self
    }
}
