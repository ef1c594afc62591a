// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an account that nobody has proved may not do, whatever opened a session in it (``User/isUnverified``,
/// ADR 0028). Whoever proves its address, by whichever message of whichever dialect, takes it: ``AccountTakeover``.
extension User {
    /// The role by which the user may administrate their Directory; `nil` where they may not. One that an operator gave
    /// to whoever had an address is not for somebody who only said that it was theirs.
    public func administratorRole(_ settings: DirectorySettings) -> String? {
        guard !isUnverified, let role, settings.adminRoles.contains(role) else { return nil }
        return role
    }

    /// Whether the account is somebody's, so that a stranger's sign-up with its address is nothing to it: an operator
    /// answers for it, or has given it something since; or an address or number of it was proved. That somebody has
    /// signed in without proving anything does not make it theirs: nobody blocks the owner of an address.
    ///
    /// So is one that an identity provider knows somebody by who did not vouch for the address: no stranger's sign-up
    /// opens it. Its address it keeps from nobody: see ``isOwned(_:_:)``.
    func isClaimed(_ tx: any StoreReading) throws -> Bool {
        if try isProved || role != nil || isOwned(.email, tx) { return true }
        return try !tx.identities(of: id, in: directoryID).allSatisfy(LocalIdentities.isLocal)
    }

    /// Whether the account has its address, or its number, with more right than whoever proves it: it was proved, or an
    /// operator said so. That the other of the two was proved says nothing of this one; nor does the group that a
    /// provider's users are put in.
    func isOwned(_ part: AccountPart, _ tx: any StoreReading) throws -> Bool {
        if isDamaged || origin != .signUp { return true }
        if isProved { return (part == .phone ? phoneVerifiedAt : emailVerifiedAt) != nil }
        return try confirmedAt != nil || tx.isInOperatorsGroup(id, in: directoryID)
    }
}
