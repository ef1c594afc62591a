// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// By what a user can come back.
struct WaysToSignIn {
    private let user: User
    private let identities: [Identity]

    init(_ user: User, _ identities: [Identity]) {
        self.user = user
        self.identities = identities
    }

    /// Whether one is left without this identity: another one, a password with something to call oneself by, an address
    /// or a number that was proved.
    func remain(without identity: Identity) -> Bool {
        let isNamed = user.username != nil || user.email != nil || user.phone != nil
        return user.isProved || user.passwordHash != nil && isNamed
            || identities.contains { $0.id != identity.id && !LocalIdentities.isLocal($0) }
    }

    /// Whether anybody can ever come back: also by an address or a number that nobody has proved, where a message may
    /// be asked for that proves it.
    var areLeft: Bool {
        user.email != nil || user.phone != nil || user.passwordHash != nil && user.username != nil
            || identities.contains { !LocalIdentities.isLocal($0) }
    }
}
