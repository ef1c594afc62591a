// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Bounds the forms of hashes that a Directory may hold: every attempt at a password in it costs one of each, until the
/// last user of a form has signed in and has today's.
enum ForeignHashes {
    static let maximum = 4

    /// - Throws: ``AuthErrorCode/invalidRequest`` for a hash of one form too many.
    static func admit(_ hash: PasswordHash?, in directory: DirectoryID, _ tx: any UserReading) throws {
        guard let hash else { return }
        let forms = try tx.passwordForms(in: directory, limit: maximum + 1)
        guard forms.contains(hash.form) || forms.count < maximum else {
            throw AuthError(
                .invalidRequest, reason: "the Directory holds \(maximum) kinds and costs of hashes already",
                field: "password_hash")
        }
    }
}
