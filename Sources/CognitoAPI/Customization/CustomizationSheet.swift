// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A style sheet for the classic pages of the service: rules for a few classes, by name. No page of ours has it; two of
/// its colours are taken where what stands on them can be read.
struct CustomizationSheet: Sendable {
    /// The service's own advice is 3 kB, beside an image. Every call of the pool reads what is kept of it.
    static let longest = 4096

    private static let classes: Set<String> = Set(
        [
            "background", "banner", "errorMessage", "idpButton", "idpDescription", "inputField", "label", "legalText",
            "logo", "passwordCheck-valid", "passwordCheck-notValid", "redirect", "socialButton", "submitButton",
            "textDescription",
        ].map { "." + $0 + "-customizable" })
    private static let states: Set<String> = ["hover", "focus"]

    /// The background of a button, for text on white paper.
    private(set) var accent: Colour?
    /// What the form stands on.
    private(set) var background: Colour?

    /// - Throws: `InvalidParameterException` for what is no such sheet.
    init(_ text: String) throws(WireError) {
        guard text.utf8.count <= Self.longest else {
            throw .parameter("CSS must be at most \(Self.longest) bytes on this server.")
        }
        let text = Self.plain(text)
        guard !text.contains("<"), !text.contains("@"), !text.lowercased().contains("javascript") else {
            throw .parameter("CSS must not contain HTML, at-rules or Javascript.")
        }
        for rule in try Self.rules(of: text) {
            guard let declarations = rule.declarations["background-color"] ?? rule.declarations["background"],
                let colour = Self.colour(declarations)
            else { continue }
            switch rule.selector {
            case ".submitButton-customizable": accent = colour
            case ".background-customizable": background = colour
            default: break
            }
        }
        if let colour = accent, colour.contrast(with: PagePalette.light.paper) < PagePalette.leastContrast {
            accent = nil
        }
        if let colour = background, colour.contrast(with: PagePalette.light.dim) < PagePalette.leastContrast {
            background = nil
        }
    }

    /// Nothing that has a meaning here is beyond ASCII. What is may stand in comments and values; to walk through it by
    /// characters would take time that grows with the square of a run of marks or flags.
    private static func plain(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    private struct Rule {
        var selector: String
        var declarations: [String: String]
    }

    private static func rules(of text: String) throws(WireError) -> [Rule] {
        let malformed = WireError.parameter("CSS is not a list of rules.")
        var rules: [Rule] = []
        let blocks = try withoutComments(text).split(separator: "}", omittingEmptySubsequences: false)
        guard let rest = blocks.last, trimmed(rest).isEmpty else { throw malformed }
        for block in blocks.dropLast() {
            let parts = block.split(separator: "{", omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw malformed }
            var declarations: [String: String] = [:]
            for declaration in parts[1].split(separator: ";") where !trimmed(declaration).isEmpty {
                let pair = declaration.split(separator: ":", maxSplits: 1)
                guard pair.count == 2 else { throw malformed }
                declarations[trimmed(pair[0]).lowercased()] = trimmed(pair[1])
            }
            for part in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
                let selector = trimmed(part)
                try require(selector)
                rules.append(Rule(selector: selector, declarations: declarations))
            }
        }
        return rules
    }

    private static func require(_ selector: String) throws(WireError) {
        let parts = selector.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, classes.contains(name), parts.count <= 2,
            parts.count == 1 || states.contains(parts[1])
        else { throw .parameter("CSS has a class that can't be customized: \(Input.excerpt(selector))") }
    }

    private static func withoutComments(_ text: String) throws(WireError) -> String {
        var (kept, rest) = ("", text[...])
        while let start = rest.firstRange(of: "/*") {
            kept += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstRange(of: "*/") else {
                throw .parameter("CSS has a comment without an end.")
            }
            rest = rest[end.upperBound...]
        }
        return kept + rest
    }

    private static func trimmed(_ text: Substring) -> String {
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(text[first...last])
    }

    /// CSS Color 4, sections 5.2 and 5.1: `#rgb`, `#rrggbb`, `rgb(r, g, b)`. `nil` for any other value.
    private static func colour(_ value: String) -> Colour? {
        let value = value.lowercased().replacing("!important", with: "").filter { !$0.isWhitespace }
        if value.utf8.count == 4, value.hasPrefix("#") {
            return Colour("#" + value.dropFirst().map { "\($0)\($0)" }.joined())
        }
        guard value.hasPrefix("rgb("), value.hasSuffix(")") else { return Colour(value) }
        let parts = value.dropFirst(4).dropLast().split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        guard parts.count == 3, numbers.count == 3 else { return nil }
        return Colour(red: numbers[0], green: numbers[1], blue: numbers[2])
    }
}
