// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What came of comparing a password with a stored hash.
public enum PasswordVerdict: Sendable, Equatable {
    /// It is right. `rehash`: the stored hash is of another kind or cost than new ones are.
    case match(rehash: Bool)
    case mismatch
}

/// Hashes passwords. A protocol so that a test can count: one attempt costs the same hashes, whoever the user is.
public protocol PasswordHashing: Sendable {
    /// Compares at the cost of one hash of today's form, and of one of each other form in `held`: for whichever of
    /// them the stored hash is not of, a made-up one is computed, and never matches. So an attempt costs the same
    /// whoever it is about.
    ///
    /// - Parameter held: a made-up hash of each form that the Directory holds.
    /// - Throws: As ``verify(_:against:)``.
    func verify(
        _ password: Secret<String>, against stored: PasswordHash?, among held: [PasswordHash]
    ) async throws -> PasswordVerdict

    /// Compares at the cost of exactly one hash. With nothing stored (unknown user, no password) a hash at the current
    /// cost is computed all the same, and never matches. So is it for a text longer than any password may be.
    ///
    /// - Throws: ``AuthErrorCode/overloaded`` with a time to wait when too many attempts are waiting already,
    ///   ``AuthErrorCode/unavailable`` when there is no memory for the hash.
    func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict

    /// Makes a new hash at the current cost.
    ///
    /// - Throws: As above; ``AuthErrorCode/weakPassword`` for more than 4,096 octets, or more than 30 combining marks
    ///   in a row.
    func hash(_ password: Secret<String>) async throws -> PasswordHash
}

extension PasswordHashing {
    /// For hashing in which every hash is of one form.
    public func verify(
        _ password: Secret<String>, against stored: PasswordHash?, among _: [PasswordHash]
    ) async throws -> PasswordVerdict {
        try await verify(password, against: stored)
    }
}
