// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts

/// By what somebody may show here who they are beside what they have shown: those of their factors that a page can ask
/// for.
struct FactorOffer: Sendable {
    /// The preferred one first.
    var factors: [Factor]
    var hasBackupCodes: Bool
    /// Whether they have a passkey, which is two factors by itself: they may sign in by it instead.
    var hasPasskey = false

    /// - Parameter asks: whether pages here can ask authenticators.
    init(_ choices: FactorChoices, asks: Bool) {
        factors = choices.factors.filter { $0.kind != .webAuthn || asks }
        hasBackupCodes = choices.hasBackupCodes
    }
}
