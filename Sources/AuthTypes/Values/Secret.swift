// SPDX-License-Identifier: Apache-2.0

/// A value that must not be seen: a password, a token, a private key. Not `Codable`, and described as `[redacted]`
/// wherever a log, an error or a debugger would print it.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    /// Wraps a value; whoever made it sees to the copy that they have.
    public init(_ value: Value) {
        self.value = value
    }

    /// The value itself. The name makes each place where a secret leaves its wrapper easy to find.
    public func reveal() -> Value { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `[redacted]`.
    public var description: String { "[redacted]" }
    /// `[redacted]`.
    public var debugDescription: String { "[redacted]" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Compares without stopping at the first difference, so that the time taken says nothing about the contents.
/// The lengths are compared openly.
package func constantTimeEqual(_ lhs: [UInt8], _ rhs: [UInt8]) -> Bool {
    guard lhs.count == rhs.count else { return false }
    var difference: UInt8 = 0
    for index in lhs.indices { difference |= lhs[index] ^ rhs[index] }
    return difference == 0
}
