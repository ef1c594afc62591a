// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The tags of a page, as far as its tests look at them. The pages are written by one program, in one form.
struct PageMarkup {
    struct Tag {
        var name: String
        var attributes: [String: String]
        /// The text up to the tag's end, without tags.
        var content: String
    }

    struct Form {
        var method: String
        var action: String
        /// What is sent without anything being typed: hidden fields, and those filled in already.
        var values: [String: String]
    }

    let tags: [Tag]

    init(_ html: String) {
        var tags: [Tag] = []
        let body = html.replacingOccurrences(
            of: "<style>[^<]*</style>", with: "", options: .regularExpression)
        var rest = body[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let inner = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            guard let first = inner.first, first.isLetter else { continue }
            let name = String(inner.prefix { $0.isLetter || $0.isNumber })
            let end = rest.range(of: "</\(name)>").map { rest[..<$0.lowerBound] } ?? ""
            tags.append(
                Tag(
                    name: name, attributes: Self.attributes(inner.dropFirst(name.count)),
                    content: Self.text(String(end))))
        }
        self.tags = tags
    }

    func all(_ name: String) -> [Tag] { tags.filter { $0.name == name } }

    var forms: [Form] {
        var forms: [Form] = []
        for tag in tags {
            if tag.name == "form" {
                forms.append(
                    Form(
                        method: tag.attributes["method"] ?? "get", action: tag.attributes["action"] ?? "", values: [:]))
            } else if tag.name == "input", !forms.isEmpty, let name = tag.attributes["name"],
                tag.attributes["type"] != "checkbox"
            {
                forms[forms.count - 1].values[name] = tag.attributes["value"] ?? ""
            }
        }
        return forms
    }

    private static func attributes(_ text: Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = text
        while let first = rest.firstIndex(where: { !$0.isWhitespace }) {
            rest = rest[first...]
            let name = String(rest.prefix { $0 != "=" && !$0.isWhitespace })
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else {
                attributes[name] = ""
                continue
            }
            let quoted = rest.dropFirst(2)
            let value = quoted.prefix { $0 != "\"" }
            attributes[name] = unescaped(String(value))
            rest = quoted.dropFirst(value.count + 1)
        }
        return attributes
    }

    private static func text(_ html: String) -> String {
        unescaped(html.replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression))
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
