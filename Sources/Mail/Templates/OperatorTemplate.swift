// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An operator's template, in mustache or in the `{{ .Name }}` form of Go's templates that other servers take.
///
/// Of the latter, plain values are understood: `.ConfirmationURL`, `.Token`, `.TokenHash`, `.SiteURL`, `.Email`,
/// `.SendingTo`, `.NewEmail`, `.RedirectTo`, and `.Data.name` for the user's metadata. Of mustache: values
/// (`{{link}}`), sections, inverted sections and comments. Conditions, loops, functions, trim marks, partials, other
/// delimiters and whatever would switch the escaping off are refused when the template is read, as are names that no
/// mail has: so no mail goes out with a hole in it, or with somebody's markup.
struct OperatorTemplate {
    enum Place {
        case subject
        case html
        /// A text message, in which there is less to fill in.
        case text
    }

    /// How many objects of the metadata a name may go through.
    static let deepestData = 4
    private static let longest = 65_536
    private static let deepestSection = 16
    private static let goNames = [
        ".ConfirmationURL": "link", ".Token": "code", ".TokenHash": "tokenHash", ".SiteURL": "siteURL",
        ".Email": "email", ".NewEmail": "newEmail", ".SendingTo": "email", ".RedirectTo": "redirectTo",
        ".Provider": "provider",
    ]
    private static let names: Set<String> = [
        "siteName", "siteURL", "email", "newEmail", "username", "provider", "link", "code", "tokenHash", "redirectTo",
        "expiry",
        "codeExpiry", "time", "network", "device",
    ]
    private static let goNamesOfTexts = [
        ".Code": "code", ".Token": "code", ".Provider": "provider",
    ]
    private static let namesOfTexts: Set<String> = ["siteName", "code", "provider", "time"]
    private static let longestText = 1_000

    let mustache: String
    /// What it fills in, whether in a section or not.
    private(set) var used: Set<String> = []

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming what is not understood.
    init(_ text: String, for place: Place) throws(AuthError) {
        let longest = place == .text ? Self.longestText : Self.longest
        guard text.utf8.count <= longest else { throw Self.unsupported("more than \(longest) bytes") }
        guard StreamSafeText.accepts(text) else { throw Self.unsupported("too many combining marks in a row") }
        var result = ""
        var rest = Substring(text)
        var depth = 0
        var position = HTMLPosition()
        while let (before, tag, after) = Self.nextTag(in: rest) {
            result += before
            position.advance(over: before)
            let translated = try Self.translate(tag, in: place)
            if let name = Self.filled(by: translated) { used.insert(name) }
            // There, escaping is not enough: the user could say `javascript:`, or leave an unquoted value.
            if place == .html, !position.isContent, Self.foreign.contains(where: { translated.hasPrefix($0) }) {
                throw Self.unsupported("metadata inside an HTML tag, style or script")
            }
            if translated.hasPrefix("{{#") || translated.hasPrefix("{{^") { depth += 1 }
            guard depth <= Self.deepestSection else { throw Self.unsupported("too many sections in one another") }
            if translated.hasPrefix("{{/") { depth -= 1 }
            result += translated
            rest = after
        }
        mustache = result + rest
    }

    /// What others than the operator have written.
    private static let foreign = ["{{data.", "{{device}}", "{{provider}}"]

    /// - Throws: ``AuthErrorCode/invalidRequest`` where the template fills in none of `names`.
    func require(_ names: Set<String>) throws(AuthError) {
        guard used.isDisjoint(with: names) else { return }
        let wanted = names.sorted().map { "{{\($0)}}" }.joined(separator: " nor ")
        throw AuthError(.invalidRequest, reason: "there is neither \(wanted) in it", field: "template")
    }

    /// The name of a value, and not of a section alone.
    private static func filled(by tag: String) -> String? {
        guard tag.hasPrefix("{{"), let first = tag.dropFirst(2).first, !"#^/".contains(first) else { return nil }
        return String(tag.dropFirst(2).dropLast(2))
    }

    private static func translate(_ tag: Substring, in place: Place) throws(AuthError) -> String {
        let content = tag.trimmingBlanks
        if content.hasPrefix("!") { return "" }
        if place == .text {
            if let known = goNamesOfTexts[String(content)] { return "{{\(known)}}" }
            let sigil = content.first.map { "#^/".contains($0) ? String($0) : "" } ?? ""
            let name = String(content.dropFirst(sigil.count).trimmingBlanks)
            guard namesOfTexts.contains(name) else {
                throw AuthError(
                    .invalidRequest, reason: "a text message has {{\(tag.prefix(40))}}, which is not supported",
                    field: "template")
            }
            return "{{\(sigil)\(name)}}"
        }
        if let known = goNames[String(content)] { return "{{\(known)}}" }
        if content.hasPrefix(".Data."), let path = path(content.dropFirst(6)) { return "{{\(path)}}" }
        let sigil = content.first.map { "#^/".contains($0) ? String($0) : "" } ?? ""
        let name = content.dropFirst(sigil.count).trimmingBlanks
        if names.contains(String(name)) { return "{{\(sigil)\(name)}}" }
        guard name.hasPrefix("data."), let path = path(name.dropFirst(5)) else {
            throw unsupported("{{\(tag.prefix(40))}}")
        }
        return "{{\(sigil)\(path)}}"
    }

    /// The way to a value of the metadata, under the names that ``memberName(_:)`` gives.
    private static func path(_ text: Substring) -> String? {
        let names = text.split(separator: ".", omittingEmptySubsequences: false)
        let arePlain = names.allSatisfy { name in
            !name.isEmpty
                && name.utf8.allSatisfy { octet in
                    (48...57).contains(octet) || (65...90).contains(octet) || (97...122).contains(octet) || octet == 95
                }
        }
        guard names.count <= deepestData, arePlain else { return nil }
        return (["data"] + names.map { memberName(String($0)) }).joined(separator: ".")
    }

    /// The metadata is the user's. Within a section over an object of it, its members are found before the mail's own
    /// values: a member called `link` must not pass for the mail's link.
    static func memberName(_ name: String) -> String { "_" + name }

    private static func unsupported(_ what: String) -> AuthError {
        AuthError(.invalidRequest, reason: "a mail template has \(what), which is not supported", field: "template")
    }

    private static func nextTag(in text: Substring) -> (before: Substring, tag: Substring, after: Substring)? {
        guard let open = text.firstRange(of: "{{"), let close = text[open.upperBound...].firstRange(of: "}}") else {
            return nil
        }
        return (text[..<open.lowerBound], text[open.upperBound..<close.lowerBound], text[close.upperBound...])
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
