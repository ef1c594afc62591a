// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An account that begins with a link or a code instead of a password. Until that is used it proves nothing.
struct PasswordlessAccount: Sendable {
    var recipient: OneTimeIssuer.Recipient
    var userMetadata: JSONObject

    /// Inserts the user and their identity.
    ///
    /// - Parameter isReal: Off where there is such a user already: ``Nobody`` is then opened in their place, by the same
    ///   statements.
    func open(isReal: Bool, call: CallContext, random: any RandomSource, in tx: any StoreWriting) throws -> User {
        var user =
            isReal
            ? User(id: random.identifier(), directoryID: call.directory.id, createdAt: call.now)
            : Nobody.newcomer(call)
        // What was opened for nobody the last time; a new user has nothing there.
        _ = try tx.deleteUser(user.id, in: user.directoryID)
        switch recipient {
        case .email(let address): user.email = address
        case .phone(let number): user.phone = number
        }
        try user.describe(metadata: userMetadata, attributes: [:], call: call)
        user.name(providers: LocalIdentities.providers(of: user))
        try tx.insert(user)
        _ = try LocalIdentities(random: random, now: call.now).insert(for: user, in: tx)
        return user
    }
}
