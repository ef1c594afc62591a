// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Bounds the forms of hashes that a Directory may hold: every attempt at a password in it costs one of each, until the
/// last user of a form has signed in and has today's.
enum ForeignHashes {
    /// As many as one platform's import has kinds, at one cost each, and ours.
    static let maximum = 8

    /// - Throws: ``AuthErrorCode/invalidRequest`` for a hash of one form too many.
    static func admit(_ hash: PasswordHash?, in directory: DirectoryID, _ tx: any UserReading) throws {
        guard let hash else { return }
        try admit(forms: [hash.form], in: directory, tx)
    }

    /// The same for hashes of several forms, which come together.
    static func admit(forms: Set<String>, in directory: DirectoryID, _ tx: any UserReading) throws {
        guard !forms.isEmpty else { return }
        let held = Set(try tx.passwordForms(in: directory, limit: maximum + 1))
        guard forms.isSubset(of: held) || held.union(forms).count <= maximum else {
            throw AuthError(
                .invalidRequest, reason: "the Directory holds \(maximum) kinds and costs of hashes already",
                field: "password_hash")
        }
    }
}
