// SPDX-License-Identifier: Apache-2.0

/// Why a text was refused, and where. It never quotes the text, which may hold a password.
public struct JSONError: Error, Sendable, Hashable {
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
        /// More bytes or members than ``JSONLimits`` allows, a number of more than 512 digits, or more combining marks
        /// in a row than ``StreamSafeText`` has.
        case tooLarge
        /// A JSON text, but its value is not an object.
        case notAnObject
    }

    public let code: Code
    /// Bytes from the start of the text to the fault, or to the start of the string that has it.
    public let offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String { "\(code.rawValue) at byte \(offset)" }
}
