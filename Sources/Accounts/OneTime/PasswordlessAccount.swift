// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An account that begins with a link or a code instead of a password. Until that is used it proves nothing.
struct PasswordlessAccount: Sendable {
    var recipient: Recipient
    var userMetadata: JSONObject

    /// Inserts the user and their identity.
    ///
    /// - Parameter isReal: Off where there is such a user already: ``Nobody`` is then opened in their place, by the same
    ///   statements.
    func open(isReal: Bool, _ step: FlowStep) throws -> User {
        var user =
            isReal
            ? User(id: step.random.identifier(), directoryID: step.directory, createdAt: step.now)
            : Nobody.newcomer(step.call)
        // What was opened for nobody the last time; a new user has nothing there.
        _ = try step.tx.deleteUser(user.id, in: user.directoryID)
        switch recipient {
        case .email(let address): user.email = address
        case .phone(let number): user.phone = number
        }
        try user.describe(metadata: userMetadata, attributes: [:], call: step.call)
        user.name(providers: LocalIdentities.providers(of: user))
        try step.tx.insert(user)
        try LocalIdentities(step).insert(for: user)
        return user
    }
}
