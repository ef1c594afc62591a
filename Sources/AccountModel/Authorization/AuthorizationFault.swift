// SPDX-License-Identifier: Apache-2.0

/// Why a client is given nothing, in its own dialect's words (RFC 6749, section 4.1.2.1).
public struct AuthorizationFault: Sendable, Hashable {
    public var code: AuthorizationErrorCode
    /// `error_description`: visible ASCII and blanks, without quotation mark and backslash.
    public var description: String

    public init(_ code: AuthorizationErrorCode, _ description: String) {
        self.code = code
        self.description = description
    }
}
