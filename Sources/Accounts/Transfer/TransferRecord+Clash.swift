// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension TransferRecord {
    /// The first thing of the record that is somebody else's: an address, a number, a name, or what a provider calls
    /// them; or a hash of one form too many. `nil` where it can be written.
    ///
    /// - Parameter user: whose such things are no matter: the one that is written over.
    func clash(
        except user: UserID? = nil, _ settings: DirectorySettings, _ tx: any StoreWriting
    ) throws -> AuthError? {
        let directory = self.user.directoryID
        do {
            if let email = self.user.email, !self.user.sharesEmail,
                let found = try tx.user(email: email, in: directory), found.id != user
            {
                throw AuthError(.emailExists, field: "email")
            }
            if let phone = self.user.phone, !self.user.sharesPhone,
                let found = try tx.user(phone: phone, in: directory), found.id != user
            {
                throw AuthError(.phoneExists, field: "phone")
            }
            if user == nil { try AddressClaims(tx, settings).requireUnique(self.user) }
        } catch let error as AuthError where [.emailExists, .phoneExists].contains(error.code) {
            return AuthError(error.code, reason: "belongs to another user", field: error.field)
        }
        if let name = self.user.username, let found = try tx.user(username: name, in: directory), found.id != user {
            return AuthError(.usernameExists, reason: "belongs to another user", field: "username")
        }
        for identity in identities {
            guard
                let found = try tx.identity(provider: identity.provider, subject: identity.subject, in: directory),
                found.userID != user
            else { continue }
            return AuthError(.conflict, reason: "belongs to another user", field: "identities")
        }
        do {
            try ForeignHashes.admit(self.user.passwordHash, in: directory, tx)
        } catch let error as AuthError where error.code == .invalidRequest {
            return error
        }
        return nil
    }
}
