// SPDX-License-Identifier: Apache-2.0

/// A text that says the same again and again between a beginning and an end: what makes a reader go back over what it
/// has read, if anything does.
struct HostileText {
    let name: String
    var start = ""
    var part: String
    var end = ""

    /// - Parameter length: octets, more or less.
    func written(to length: Int) -> String {
        let count = max(1, (length - start.utf8.count - end.utf8.count) / part.utf8.count)
        return start + String(repeating: part, count: count) + end
    }

    /// Marks in the wrong order, as many as Unicode puts in a row, and without end.
    private static let marks = String(repeating: "\u{307}\u{323}", count: 15)

    static let all: [HostileText] = [
        HostileText(name: "letters", part: "a"),
        HostileText(name: "marks", start: "A1a", part: "\u{307}\u{323}"),
        HostileText(name: "marks alone", part: "\u{307}\u{323}"),
        HostileText(name: "marks in bounds", part: "e" + marks),
        HostileText(name: "flags", part: "\u{1F1E9}"),
        HostileText(name: "joined", start: "👩", part: "\u{200D}👩"),
        HostileText(name: "blanks", part: " ", end: "a@b.example"),
        HostileText(name: "lines", part: "\r\n"),
        HostileText(name: "quotes", part: "\"\\"),
        HostileText(name: "percents", part: "%25"),
        HostileText(name: "pairs", part: "a=b&"),
        HostileText(name: "commas", part: "a,"),
        HostileText(name: "dots", part: "a."),
        HostileText(name: "slashes", start: "/", part: "../"),
        HostileText(name: "hyphens", part: "a-"),
        HostileText(name: "tags", part: "{{ .Email }}<b \""),
        HostileText(name: "open tags", part: "{{"),
        HostileText(name: "stars", start: "https://", part: "*a"),
        HostileText(name: "groups", part: "{a}[b]"),
        HostileText(name: "url", start: "https://app.example/", part: "a/"),
        HostileText(name: "digits", part: "1"),
        HostileText(name: "json", start: "[", part: "{},", end: "0]"),
    ]

    private static let pieces = [
        "a", "Z", "7", " ", "\t", "\n", "\r", "\"", "\\", "'", "<", ">", "&", "%", "%41", "=", "+", "-", "_", ".", ",",
        ";",
        ":", "/", "//", "?", "#", "@", "*", "**", "[", "]", "{", "}", "{{", "}}", "(", "|", "^", "$", "!", "\u{0}",
        "\u{301}", "\u{307}\u{323}", "\u{F73}", "é", "漢", "\u{1100}", "\u{1161}", "\u{1F1E9}", "👩\u{200D}", "\u{200E}",
        "\u{2028}", "ß", "İ", "\u{212A}",
    ]

    /// Up to four pieces again and again, behind and before up to two others.
    static func random(_ generator: inout Generator) -> HostileText {
        func some(_ range: ClosedRange<Int>) -> String {
            (0..<range.lowerBound + generator.next(below: range.count)).map { _ in
                pieces[generator.next(below: pieces.count)]
            }.joined()
        }
        let (start, part, end) = (some(0...2), some(1...4), some(0...2))
        let name = [start, part, end].map {
            $0.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
        }
        return HostileText(name: name.joined(separator: " | "), start: start, part: part, end: end)
    }
}
