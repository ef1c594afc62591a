// SPDX-License-Identifier: Apache-2.0

/// Why a token or a key was refused. Two errors are equal when their codes are; the reason is for the operator's log,
/// and quotes nothing of the token or the key.
public struct JOSEError: Error, Sendable {
    /// What was wrong. Stable names: they may be counted and logged.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Not a JWS in compact form, or its header breaks a rule of RFC 7515.
        case malformed
        /// More bytes than the limit.
        case tooLarge
        /// The token's `alg` is unknown, or one that the key or the caller does not allow.
        case algorithmNotAllowed
        /// No key, or not this key, answers to the token's `kid`.
        case keyNotFound
        /// The signature is not this key's over these bytes.
        case signatureInvalid
        /// Not a JWK this library can use, or one that contradicts itself.
        case keyInvalid
        /// A key too short, or of a kind known to be broken.
        case keyTooWeak
        /// Several keys of one `kid`, or public keys beside secret ones.
        case keySetInvalid
        /// The cryptography itself failed.
        case signingFailed
    }

    /// What was wrong: all that two errors are compared by.
    public let code: Code
    /// More for the operator's log; quotes nothing of the token or the key.
    public let reason: String?

    /// - Parameters:
    ///   - code: what was wrong.
    ///   - reason: more for the operator's log; must quote nothing of the token or the key.
    public init(_ code: Code, _ reason: String? = nil) {
        self.code = code
        self.reason = reason
    }
}

extension JOSEError: Hashable {
    public static func == (lhs: JOSEError, rhs: JOSEError) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension JOSEError: CustomStringConvertible {
    public var description: String { reason.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
