// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What several users who are about to be imported would be known by: asked for all of them at once, since as a rule
/// nothing of it is anybody's yet. Where something is, each must be looked at alone.
struct NewcomerClaims: Sendable {
    private let emails: [EmailAddress]
    private let phones: [PhoneNumber]
    /// Nobody may have an identifier that is spelled as another's name.
    private let identifiers: [String]
    private let forms: Set<String>
    /// Whether nothing is two users' of them. Names, and addresses that are shared, are judged one user after the
    /// other.
    let areDistinct: Bool

    init(_ users: [User]) {
        emails = users.compactMap(\.email)
        phones = users.compactMap(\.phone)
        identifiers = users.flatMap { [$0.id.rawValue] + $0.externalIdentifiers.all.map(\.rawValue) }
        forms = Set(users.compactMap { $0.passwordHash?.form })
        areDistinct =
            Set(emails).count == emails.count && Set(phones).count == phones.count
            && Set(identifiers).count == identifiers.count
            && users.allSatisfy { $0.username == nil && !$0.sharesEmail && !$0.sharesPhone }
    }

    /// Whether addresses and numbers are nobody's, and identifiers nobody's name. That identifiers are nobody's
    /// identifiers the store sees to when it inserts them.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for hashes of one form too many.
    func areFree(in directory: DirectoryID, _ tx: any StoreWriting) throws -> Bool {
        guard try !tx.isAnyTaken(emails: emails, phones: phones, in: directory),
            try !tx.isAnyName(identifiers, in: directory)
        else { return false }
        try ForeignHashes.admit(forms: forms, in: directory, tx)
        return true
    }
}
