// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Text for a mail's header fields.
enum HeaderText {
    /// Without anything that could end the line: control characters become blanks.
    static func oneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0 }))
    }

    /// ASCII as it is; anything else as encoded words of at most 75 characters (RFC 2047, section 2).
    static func encoded(_ text: String) -> String {
        let line = oneLine(text)
        guard !line.utf8.allSatisfy({ $0 < 127 }) || line.contains("=?") else { return line }
        var words: [String] = []
        var chunk: [UInt8] = []
        // 45 octets are 60 characters of base64; a character is never split over two words.
        for character in line {
            if chunk.count + character.utf8.count > 45 {
                words.append("=?UTF-8?B?" + Base64.encode(chunk) + "?=")
                chunk = []
            }
            chunk += Array(character.utf8)
        }
        words.append("=?UTF-8?B?" + Base64.encode(chunk) + "?=")
        return words.joined(separator: "\r\n ")
    }
}
