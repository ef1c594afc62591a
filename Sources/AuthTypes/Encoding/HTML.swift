// SPDX-License-Identifier: Apache-2.0

/// A piece of HTML that is safe by how it was made: what a literal says is markup, and every text that is put into one
/// is escaped (``HTMLText``), in an element as in a quoted attribute.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    package private(set) var text: String

    package init(stringLiteral text: String) {
        self.text = text
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// A text that stands for itself.
    package init(_ text: String) {
        self.text = HTMLText.escaped(text)
    }

    /// Markup that this program made, such as a style sheet. Never what came from outside.
    package init(markup: String) {
        text = markup
    }

    /// A text with each `{name}` in it replaced by the piece of that name; all else stands for itself. A name without a
    /// piece stays as it is.
    package init(_ text: String, filling pieces: [String: HTML]) {
        var filled = ""
        // By octets: an ASCII one is a character of its own, whatever stands behind it.
        var rest = Substring(text).utf8
        while let open = rest.firstIndex(of: UInt8(ascii: "{")),
            let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
        {
            let (name, end) = (rest[rest.index(after: open)..<close], rest.index(after: close))
            let piece = pieces[String(Substring(name))]
            filled += HTMLText.escaped(String(Substring(rest[..<open])))
            filled += piece?.text ?? HTMLText.escaped(String(Substring(rest[open..<end])))
            rest = rest[end...]
        }
        self.text = filled + HTMLText.escaped(String(Substring(rest)))
    }

    /// What somebody or something is called, such as an address: set off, and broken only where a line can't hold it.
    package static func name(_ text: String) -> HTML { #"<b class="name">\#(text)</b>"# }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ value: String) { text += HTMLText.escaped(value) }
        package mutating func appendInterpolation(_ piece: HTML) { text += piece.text }
        /// Nothing, where there is none.
        package mutating func appendInterpolation(_ piece: HTML?) { text += piece?.text ?? "" }
        /// One after the other, each on a line of its own.
        package mutating func appendInterpolation(_ pieces: [HTML]) {
            text += pieces.map(\.text).joined(separator: "\n")
        }
    }
}
