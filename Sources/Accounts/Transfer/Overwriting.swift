// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Puts an imported user in the place of the one who is there, with all that follows for whoever uses the account.
struct Overwriting {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// What other dialects keep of the user, their role and their name stay; everything that the record knows of takes
    /// its place.
    ///
    /// - Parameter record: of somebody whom the same identifier names, with nothing in it that is somebody else's.
    func put(_ record: TransferRecord, over before: User) throws {
        var user = before
        let new = record.user
        if new.passwordHash != before.passwordHash {
            let password = new.passwordHash.map { PasswordReplacement.Password.hash($0) } ?? .none
            try PasswordReplacement(step, by: .administrator).apply(password, to: &user)
        }
        user.email = new.email
        user.emailVerifiedAt = new.emailVerifiedAt
        user.phone = new.phone
        user.phoneVerifiedAt = new.phoneVerifiedAt
        if user.email != before.email || user.phone != before.phone { user.dropPendingChanges() }
        user.userMetadata = new.userMetadata
        if let dialect = step.call.dialect {
            user.dialectData[dialect].byOperator = new.dialectData[dialect].byOperator
        }
        user.bannedUntil = new.bannedUntil
        user.deletionDueAt = new.deletionDueAt ?? before.deletionDueAt
        user.lastSignInAt = new.lastSignInAt ?? before.lastSignInAt
        if let since = new.tokensValidSince { user.tokensValidSince = since.orLater(user.tokensValidSince ?? since) }
        if user.isProved { user.isAnonymous = false }
        user.origin = .transfer
        user.createdAt = new.createdAt
        user.updatedAt = step.now
        try align(record.identities, of: &user)
        try UserAdministration.end(before, &user, step)
        let written = try step.tx.update(user)
        try add(record.factors, to: written)
        try OwnerNotice(step).tell(before, became: written)
    }

    /// Those that the user has stay: what a line does not tell of must not open an account to whoever has its password.
    private func add(_ factors: [Factor], to user: User) throws {
        let known = try step.tx.factors(of: user.id, in: user.directoryID).filter(\.isVerified)
        for var factor in factors
        where !known.contains(where: { $0.kind == factor.kind && $0.recipient == factor.recipient }) {
            factor.userID = user.id
            try FactorAddition(step).add(factor, to: user)
        }
    }

    /// Of the providers, those that the record names.
    private func align(_ identities: [Identity], of user: inout User) throws {
        let before = try step.tx.identities(of: user.id, in: user.directoryID).filter { !LocalIdentities.isLocal($0) }
        let after = identities.filter { !LocalIdentities.isLocal($0) }
        for identity in before {
            _ = try step.tx.deleteIdentity(identity.id, in: user.directoryID)
            if !after.contains(where: { $0.provider == identity.provider && $0.subject == identity.subject }) {
                try IdentityEnds(step).note(identity)
            }
        }
        for var identity in after {
            identity.userID = user.id
            let known = before.first { $0.provider == identity.provider && $0.subject == identity.subject }
            identity.lastSignInAt = known?.lastSignInAt
            try step.tx.insert(identity)
        }
        try LocalIdentities(step).align(&user)
    }
}
