// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Who may have an address or a number that others have too (``AddressHolders``, ADR 0028).
struct AddressClaims {
    private let tx: any UserReading
    private let settings: DirectorySettings

    init(_ tx: any UserReading, _ settings: DirectorySettings) {
        self.tx = tx
        self.settings = settings
    }

    init(_ step: FlowStep) {
        self.init(step.tx, step.settings)
    }

    /// Refuses an address that is proved to be this user's and was another's before, where one may have it at most.
    ///
    /// - Parameter user: as they are about to be written.
    /// - Throws: ``AuthErrorCode/emailExists``, ``AuthErrorCode/phoneExists``.
    func requireUnique(_ user: User) throws {
        if settings.signUp.uniqueEmails, user.emailVerifiedAt != nil, let email = user.email,
            let other = try tx.user(email: email, in: user.directoryID), other.id != user.id,
            other.emailVerifiedAt != nil
        {
            throw AuthError(.emailExists, field: "email")
        }
        if settings.signUp.uniquePhones, user.phoneVerifiedAt != nil, let phone = user.phone,
            let other = try tx.user(phone: phone, in: user.directoryID), other.id != user.id,
            other.phoneVerifiedAt != nil
        {
            throw AuthError(.phoneExists, field: "phone")
        }
    }

    /// Who stands in the way of a user who wants this address, if anybody.
    func owner(of email: EmailAddress, against user: User) throws -> User? {
        guard let owner = try tx.user(email: email, in: user.directoryID), owner.id != user.id else { return nil }
        return user.sharesEmail && (!settings.signUp.uniqueEmails || owner.emailVerifiedAt == nil) ? nil : owner
    }

    /// The same of a number.
    func owner(of phone: PhoneNumber, against user: User) throws -> User? {
        guard let owner = try tx.user(phone: phone, in: user.directoryID), owner.id != user.id else { return nil }
        return user.sharesPhone && (!settings.signUp.uniquePhones || owner.phoneVerifiedAt == nil) ? nil : owner
    }
}
