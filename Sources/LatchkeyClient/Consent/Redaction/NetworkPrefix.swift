// SPDX-License-Identifier: Apache-2.0

/// An IP address without the part that says whose it is (G-11.6): /24 of IPv4, /48 of IPv6.
enum NetworkPrefix {
    /// `nil` for what is no address.
    static func text(of address: String) -> String? {
        guard address.utf8.count <= 45 else { return nil }
        return four(address) ?? six(address)
    }

    private static func four(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts.allSatisfy({ isNumber($0) && UInt8($0) != nil }) else { return nil }
        return parts[..<3].joined(separator: ".") + ".0/24"
    }

    /// RFC 4291, section 2.2.
    private static func six(_ text: String) -> String? {
        // A colon at an end is one of two: `7:` and `:` are no addresses.
        guard text.utf8.contains(UInt8(ascii: ":")), text.hasPrefix(":") == text.hasPrefix("::"),
            text.hasSuffix(":") == text.hasSuffix("::")
        else { return nil }
        var groups = text.split(separator: ":", omittingEmptySubsequences: false)[...]
        if let last = groups.last, last.contains("."), let mapped = four(String(last)) {
            // An address of IPv4 in one of IPv6 (section 2.5.5) is whoever the former is.
            let before = groups.dropLast().filter { !$0.isEmpty && $0 != "0" }
            return before.allSatisfy { $0.lowercased() == "ffff" } ? mapped : nil
        }
        // At either end, the two colons leave one empty group too many.
        if groups.first == "", groups.dropFirst().first == "" { groups = groups.dropFirst() }
        if groups.last == "", groups.dropLast().last == "" { groups = groups.dropLast() }
        let gaps = groups.filter(\.isEmpty).count
        guard gaps <= 1, groups.count <= 8, gaps == 1 || groups.count == 8 else { return nil }
        var words: [UInt16] = []
        for group in groups {
            if group.isEmpty {
                words += [UInt16](repeating: 0, count: 9 - groups.count)
            } else {
                guard group.utf8.count <= 4, let word = UInt16(group, radix: 16), group.first != "+" else { return nil }
                words.append(word)
            }
        }
        guard words.count == 8 else { return nil }
        return words[..<3].map { String($0, radix: 16) }.joined(separator: ":") + "::/48"
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    }
}
