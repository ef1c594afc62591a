// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Text for a mail's header fields.
enum HeaderText {
    /// More of a text than this says nothing in a list of mails.
    static let longest = 400
    /// A text of no more ASCII characters than this stays readable as it is, on one line.
    private static let longestPlain = 60

    /// One line without blanks around it: whatever could end a line (controls, U+2028, U+2029) becomes a blank, and
    /// what is beyond ``longest`` scalars is left out.
    static func oneLine(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.drop(while: isBlank).prefix(longest) {
            line.append(isBlank(scalar) ? " " : scalar)
        }
        while line.last == " " { line.removeLast() }
        return String(line)
    }

    /// An unstructured field's value: short ASCII as it is, anything else as encoded words (RFC 2047, section 2).
    static func encoded(_ text: String) -> String {
        let line = oneLine(text)
        return isPlain(line) ? line : words(line)
    }

    /// A display name (RFC 5322, section 3.4): a quoted string, or encoded words.
    static func displayName(_ name: String) -> String {
        let line = oneLine(name)
        let quoted = line.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return isPlain(quoted) ? "\"\(quoted)\"" : words(line)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// Text that looks like an encoded word is none: readers decode it, even in quotes.
    private static func isPlain(_ line: String) -> Bool {
        line.utf8.count <= longestPlain && line.utf8.allSatisfy { $0 < 127 } && !line.contains("=?")
    }

    /// A line with an encoded word has at most 76 characters: 39 octets are 52 digits, and with the word's own 12 there
    /// is room for the field's name. No character is split over two words (RFC 2047, section 5).
    private static func words(_ line: String) -> String {
        var words: [String] = []
        var chunk: [UInt8] = []
        func close() {
            words.append("=?UTF-8?B?" + Base64.encode(chunk) + "?=")
            chunk = []
        }
        for scalar in line.unicodeScalars {
            let octets = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            if chunk.count + octets.count > 39 { close() }
            chunk += octets
        }
        close()
        return words.joined(separator: "\r\n ")
    }
}
