// SPDX-License-Identifier: Apache-2.0

/// Writes the members of a JSON object one after the other (RFC 8259), for answers that are made with each request: no
/// ``JSONObject`` is made of them first, and no name is looked up among those before it.
///
/// Which names there are is the caller's to see to: each once, of printable ASCII without `"` and `\`.
package struct JSONMemberWriter {
    private var writer = JSONWriter()

    /// An object without members.
    package init() { writer.begin() }

    /// - Parameter value: `nil` writes null.
    package mutating func add(_ name: StaticString, _ value: String?) {
        writer.name(name)
        if let value { writer.write(value) } else { writer.writeNull() }
    }

    package mutating func add(_ name: StaticString, _ value: Bool) {
        writer.name(name)
        writer.write(value)
    }

    package mutating func add(_ name: StaticString, _ value: Int64) {
        writer.name(name)
        writer.write(value)
    }

    package mutating func add(_ name: StaticString, _ value: JSONValue) {
        writer.name(name)
        writer.write(value)
    }

    /// - Parameter text: a JSON text.
    package mutating func add(_ name: StaticString, text: [UInt8]) {
        writer.name(name)
        writer.write(text: text)
    }

    /// The whole object, in UTF-8 and without blanks.
    package consuming func finish() -> [UInt8] {
        writer.end()
        return writer.output
    }
}
