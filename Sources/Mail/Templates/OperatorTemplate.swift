// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An operator's template, in mustache or in the `{{ .Name }}` form of Go's templates that other servers take.
///
/// Of the latter, plain values are understood: `.ConfirmationURL`, `.Token`, `.TokenHash`, `.SiteURL`, `.Email`,
/// `.NewEmail`, `.RedirectTo`, and `.Data.name` for the user's metadata. Conditions, loops and functions are refused
/// when the template is read, so that no mail goes out with a hole in it.
struct OperatorTemplate {
    let mustache: String

    private static let names = [
        ".ConfirmationURL": "link", ".Token": "code", ".TokenHash": "tokenHash", ".SiteURL": "siteURL",
        ".Email": "email", ".NewEmail": "newEmail", ".SendingTo": "email", ".RedirectTo": "redirectTo",
    ]

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming what is not understood.
    init(_ text: String) throws(AuthError) {
        var result = ""
        var rest = Substring(text)
        while let (before, tag, after) = Self.nextTag(in: rest) {
            result += before
            result += try Self.translate(tag)
            rest = after
        }
        mustache = result + rest
    }

    private static func translate(_ tag: Substring) throws(AuthError) -> String {
        let name = tag.filter { $0 != " " && $0 != "\t" && $0 != "\n" }
        guard name.hasPrefix(".") else {
            // Mustache of its own; it is compiled, and so judged, by the mustache library.
            if tag.contains(" ") && !tag.hasPrefix(" ") { throw unsupported(String(tag.prefix(40))) }
            return "{{" + tag + "}}"
        }
        if let known = names[name] { return "{{" + known + "}}" }
        if name.hasPrefix(".Data."), name.dropFirst(6).allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
            return "{{data." + name.dropFirst(6) + "}}"
        }
        throw unsupported(String(name.prefix(40)))
    }

    private static func unsupported(_ what: String) -> AuthError {
        AuthError(.invalidRequest, reason: "a mail template uses \(what), which is not supported", field: "template")
    }

    private static func nextTag(in text: Substring) -> (before: Substring, tag: Substring, after: Substring)? {
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("{{"), !text[index...].hasPrefix("{{{") {
                let start = text.index(index, offsetBy: 2)
                var end = start
                while end < text.endIndex, !text[end...].hasPrefix("}}") { end = text.index(after: end) }
                guard end < text.endIndex else { return nil }
                return (text[..<index], text[start..<end], text[text.index(end, offsetBy: 2)...])
            }
            index = text.index(after: index)
        }
        return nil
    }
}
