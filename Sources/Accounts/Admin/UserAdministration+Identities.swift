// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension UserAdministration {
    /// Makes identities the user's because an operator says so. Each takes the place of another of its provider, and
    /// their owner is told. The caller writes the user.
    ///
    /// - Throws: ``AuthErrorCode/identityAlreadyLinked`` for another user's, ``AuthErrorCode/metadataTooLarge``.
    static func give(_ identities: [GivenIdentity], to user: inout User, _ step: FlowStep) throws {
        guard !identities.isEmpty else { return }
        for given in identities {
            try step.settings.requireBounded(given.data, "identities")
            let known = try step.tx.identity(provider: given.name, subject: given.subject, in: step.directory)
            if var known {
                guard known.userID == user.id else {
                    throw AuthError(.identityAlreadyLinked, reason: "to another user", field: "identities")
                }
                known.data = known.data.merging(given.data)
                known.updatedAt = step.now
                try step.tx.update(known)
                continue
            }
            let former = try step.tx.identities(of: user.id, in: step.directory)
            for identity in former where identity.provider == given.name {
                try AccountEnding(step).end(identity)
            }
            try step.tx.insert(
                Identity(
                    id: step.random.identifier(), directoryID: step.directory, userID: user.id, provider: given.name,
                    subject: given.subject, data: given.data, createdAt: step.now, updatedAt: step.now))
            try step.record(
                .identityLinked, user, details: ["provider": .string(given.name), "by": "administrator"])
            try OwnerNotice(step).tellLinked(try IdentityEnding(step).label(of: given.name), to: user)
        }
        user.name(providers: try LocalIdentities.all(of: user, step.tx).map(\.provider))
    }
}
