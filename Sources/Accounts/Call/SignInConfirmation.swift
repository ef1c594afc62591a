// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// What must be confirmed before a password opens a session.
public enum SignInConfirmation: Sendable, Hashable {
    /// The address or number that was typed beside it must be proved; beside a name, the account must be confirmed.
    case address
    /// The account must be confirmed, be it by an operator's word (``User/confirmedAt``).
    case account
    /// Nothing: the session's tokens say that the address is not verified.
    case nothing
}

extension CallContext {
    /// What the Directory makes of what the dialect asks (ADR 0028).
    var requiredConfirmation: SignInConfirmation {
        switch settings.signUp.unverifiedSignIn {
        case .refuse: confirmation == .nothing ? .address : confirmation
        case .allow: .nothing
        case .dialect: confirmation
        }
    }

    /// Whether a word on the account, and not on its address, lets anybody in by this call's dialect.
    var knowsConfirmedAccounts: Bool { requiredConfirmation != .address }

    /// Whether somebody who has proved nothing may have a session in this call's dialect.
    public var opensUnverified: Bool { requiredConfirmation == .nothing }
}
