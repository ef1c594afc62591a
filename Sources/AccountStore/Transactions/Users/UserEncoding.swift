// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What the columns of a user's row hold.
struct UserEncoding {
    static let columns: Columns = [
        "id", "directory_id", "email", "email_verified_at", "phone", "phone_verified_at", "password_hash",
        "pending_email", "pending_email_half_confirmed", "pending_phone", "app_metadata", "user_metadata", "role",
        "is_anonymous", "banned_until", "invited_at", "last_sign_in_at", "sent_confirmation", "sent_recovery",
        "sent_email_change", "sent_phone_change", "sent_reauthentication", "created_at", "updated_at", "deleted_at",
        "version", "username", "username_key", "temporary_password", "temporary_expires_at", "srp_salt", "srp_verifier",
        "tokens_valid_since", "origin", "dialect_data", "password_form", "confirmed_at", "email_holder",
        "phone_holder", "password_changed_at", "deletion_due_at", "external_identifiers", "ended_codes", "language",
    ]

    let vault: Vault
    /// The key that values are sealed with; `nil` where they are stored in the clear.
    let key: UInt32?

    /// In the order of ``columns``.
    func values(_ user: User) throws -> [SQLValue] {
        let (directory, row) = (user.directoryID, user.id.rawValue)
        return [
            SQLValue(user.id), SQLValue(user.directoryID), SQLValue(user.email?.rawValue),
            SQLValue(user.emailVerifiedAt), SQLValue(user.phone?.digits), SQLValue(user.phoneVerifiedAt),
            try vault.sealed(
                user.passwordHash.map { Array($0.encoded.utf8) }, .passwordHash, in: directory, row: row, by: key),
            SQLValue(user.pendingEmail?.rawValue),
            SQLValue(user.pendingEmailHalfConfirmed), SQLValue(user.pendingPhone?.digits),
            try UserWords.value(user.appMetadata), try SQLValue(user.userMetadata), SQLValue(user.role),
            SQLValue(user.isAnonymous), SQLValue(user.bannedUntil),
            SQLValue(user.invitedAt), SQLValue(user.lastSignInAt), SQLValue(user.sent.confirmation),
            SQLValue(user.sent.recovery), SQLValue(user.sent.emailChange), SQLValue(user.sent.phoneChange),
            SQLValue(user.sent.reauthentication), SQLValue(user.createdAt), SQLValue(user.updatedAt),
            SQLValue(user.deletedAt), SQLValue(user.version),
            UserWords.value(user.username), SQLValue(user.username?.key), SQLValue(user.temporaryPassword != nil),
            SQLValue(user.temporaryPassword?.expiresAt), SQLValue(user.srpVerifier?.salt),
            try vault.sealed(user.srpVerifier?.verifier.reveal(), .verifier, in: directory, row: row, by: key),
            SQLValue(user.tokensValidSince),
            SQLValue(user.origin.rawValue), try SQLValue(user.dialectData.json), SQLValue(user.passwordHash?.form),
            SQLValue(user.confirmedAt),
            SQLValue(AddressHolder.text(user.id, shares: user.sharesEmail, isProved: user.emailVerifiedAt != nil)),
            SQLValue(AddressHolder.text(user.id, shares: user.sharesPhone, isProved: user.phoneVerifiedAt != nil)),
            SQLValue(user.passwordChangedAt), SQLValue(user.deletionDueAt),
            try user.externalIdentifiers.isEmpty ? .null : SQLValue(user.externalIdentifiers.json),
            SQLValue(user.endedCodes), SQLValue(user.language?.rawValue),
        ]
    }
}
