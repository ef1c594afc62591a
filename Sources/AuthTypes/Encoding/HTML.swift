// SPDX-License-Identifier: Apache-2.0

/// A piece of HTML that is safe by how it was made: what a literal says is markup, and every text that is put into one is
/// escaped (``HTMLText``), in an element as in a quoted attribute.
public struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    public private(set) var text: String

    public init(stringLiteral text: String) {
        self.text = text
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// A text that stands for itself.
    public init(_ text: String) {
        self.text = HTMLText.escaped(text)
    }

    /// Markup that this program made, such as a style sheet. Never what came from outside.
    public init(markup: String) {
        text = markup
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }
        public mutating func appendInterpolation(_ value: String) { text += HTMLText.escaped(value) }
        public mutating func appendInterpolation(_ piece: HTML) { text += piece.text }
        /// Nothing, where there is none.
        public mutating func appendInterpolation(_ piece: HTML?) { text += piece?.text ?? "" }
        /// One after the other, each on a line of its own.
        public mutating func appendInterpolation(_ pieces: [HTML]) {
            text += pieces.map(\.text).joined(separator: "\n")
        }
    }
}
