// SPDX-License-Identifier: Apache-2.0

/// Where in an HTML document one stands, having read it up to there. Knows as much of HTML as it takes to tell whether
/// a text put here is plain content, in which escaping is all it needs.
struct HTMLPosition {
    private enum State {
        case content
        /// Within a tag: its text so far, in lower case, and the quote that is open.
        case tag(name: String, quote: Unicode.Scalar?)
        /// Within an element whose text is not HTML.
        case raw(name: String)
    }

    private static let rawElements: Set<String> = ["script", "style"]

    private var state = State.content
    /// What a tag that ends a raw element is looked for in.
    private var tail = ""

    var isContent: Bool {
        if case .content = state { true } else { false }
    }

    mutating func advance(over html: Substring) {
        for scalar in html.unicodeScalars { advance(over: scalar) }
    }

    private mutating func advance(over scalar: Unicode.Scalar) {
        switch state {
        case .content:
            if scalar == "<" { state = .tag(name: "", quote: nil) }
        case .tag(let name, let quote?):
            if scalar == quote { state = .tag(name: name, quote: nil) }
        case .tag(let name, nil):
            if scalar == ">" {
                let element = String(name.prefix { $0.isLetter })
                state = Self.rawElements.contains(element) ? .raw(name: element) : .content
                tail = ""
            } else if scalar == "\"" || scalar == "'", !name.hasPrefix("!") {
                // A comment may say "don't".
                state = .tag(name: name, quote: scalar)
            } else if name.utf8.count < 16 {
                state = .tag(name: name + String(scalar).lowercased(), quote: nil)
            }
        case .raw(let name):
            tail = String((tail + String(scalar).lowercased()).suffix(name.count + 2))
            if tail == "</" + name { state = .tag(name: "/" + name, quote: nil) }
        }
    }
}
