// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension AccountLimits {
    /// The limits on wrong codes of devices (RFC 8628, section 5.1): of one caller, whatever accounts they sign in to,
    /// and of one account, wherever it is signed in.
    static func deviceCodes(of user: UserID, _ call: CallContext) -> [LedgerLimit] {
        let rate = call.settings.limits.signInPerIdentifier
        return [
            call.origin.map { LedgerLimit("device code client", rate, $0, call) },
            LedgerLimit("device code account", rate, user.rawValue, call),
        ].compactMap(\.self)
    }
}
