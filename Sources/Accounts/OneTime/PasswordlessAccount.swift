// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An account that begins with a link or a code instead of a password. Until that is used it proves nothing.
struct PasswordlessAccount: Sendable {
    var recipient: Recipient
    var userMetadata: JSONObject

    /// Inserts the user and their identity.
    ///
    /// - Returns: the user, and whether a program of the operator's wants whoever answers the message disabled.
    /// - Parameter isReal: Off where there is such a user already: ``Nobody`` is then opened in their place, by the
    ///   same statements.
    func open(isReal: Bool, _ step: FlowStep) throws -> (user: User, isDisabled: Bool) {
        var user = try step.newUser()
        if !isReal { user = Nobody.newcomer(step.call, called: user.externalIdentifiers) }
        // What was opened for nobody the last time; a new user has nothing there.
        _ = try step.tx.deleteUser(user.id, in: user.directoryID)
        switch recipient {
        case .email(let address): user.email = isReal ? address : try Nobody.email
        case .phone(let number): user.phone = isReal ? number : try Nobody.phone
        }
        try user.describe(metadata: isReal ? userMetadata : [:], attributes: [:], call: step.call)
        user.name(providers: LocalIdentities.providers(of: user))
        var isDisabled = false
        if isReal {
            isDisabled = try step.admit(
                &user, by: recipient.channel == .mail ? LocalIdentities.email : LocalIdentities.phone, waits: true)
        }
        try step.tx.insert(user)
        try LocalIdentities(step).insert(for: user)
        if isReal { step.followCreation(of: user) }
        return (user, isDisabled)
    }
}
