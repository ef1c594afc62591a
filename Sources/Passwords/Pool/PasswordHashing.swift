// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What came of comparing a password with a stored hash.
public enum PasswordVerdict: Sendable, Equatable {
    /// It is right. `rehash`: the stored hash is of another kind or cost than new ones are.
    case match(rehash: Bool)
    case mismatch
}

/// Hashes passwords. A protocol so that a test can count: one attempt costs exactly one hash, whoever the user is.
public protocol PasswordHashing: Sendable {
    /// Compares at the cost of exactly one hash. With nothing stored (unknown user, no password) a hash at the current
    /// cost is computed all the same, and never matches. So is it for a text longer than any password may be.
    ///
    /// - Throws: ``AuthErrorCode/overloaded`` with a time to wait when too many attempts are waiting already,
    ///   ``AuthErrorCode/unavailable`` when there is no memory for the hash.
    func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict

    /// Makes a new hash at the current cost.
    ///
    /// - Throws: As above; ``AuthErrorCode/weakPassword`` for more than 4,096 octets, or more than 30 combining marks in a
    ///   row.
    func hash(_ password: Secret<String>) async throws -> PasswordHash
}
