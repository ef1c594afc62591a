// SPDX-License-Identifier: Apache-2.0

/// Words that say who somebody is, whatever they are called.
enum PersonalWord {
    /// An address whose at sign is escaped, a number of a telephone, an address of a network with its zone.
    static func isOne(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        if word.lowercased().contains("%40") { return true }
        if let zone = word.firstIndex(of: "%"), NetworkPrefix.text(of: String(word[..<zone])) != nil { return true }
        let digits = bytes.count { (48...57).contains($0) }
        guard bytes.allSatisfy({ (48...57).contains($0) || "+-.".utf8.contains($0) }) else { return false }
        let isInternational = bytes.first == UInt8(ascii: "+") && digits >= 7
        return isInternational || bytes.contains(UInt8(ascii: "-")) && digits >= 9
    }
}
