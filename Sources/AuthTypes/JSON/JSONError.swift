// SPDX-License-Identifier: Apache-2.0

/// Why a text was refused, and where. It never quotes the text, which may hold a password.
public struct JSONError: Error, Sendable, Hashable {
    /// What is the matter with the text.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Not a JSON text: wrong grammar, a byte order mark, half a surrogate pair, a number no `Double` can hold.
        case malformed
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// An object names a member twice (RFC 8259, section 4, leaves the outcome open; here it is refused).
        case duplicateName
        /// Something follows the value.
        case trailingBytes
        /// Deeper than ``JSONLimits/depth``.
        case tooDeep
        /// More bytes or members than ``JSONLimits`` allows, a number of more than 512 digits, or more than 30
        /// combining marks in a row (Stream-Safe Text Format, UAX #15, section 13).
        case tooLarge
        /// A JSON text, but its value is not an object.
        case notAnObject
    }

    /// What is the matter.
    public let code: Code
    /// Bytes from the start of the text to the fault, or to the start of the string that has it.
    public let offset: Int

    /// - Parameter offset: in bytes from the start of the text.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    /// The code and the place; nothing of the text.
    public var description: String { "\(code.rawValue) at byte \(offset)" }
}
