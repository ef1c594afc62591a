// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ServerKit

extension Operation {
    /// Second factors, which pools ask for by `SetUserPoolMfaConfig`.
    static let factors: [Operation] = [
        Operation("AssociateSoftwareToken", .holder, limit: .by(.user), SoftwareTokenEndpoints.associate),
        Operation("VerifySoftwareToken", .holder, limit: .by(.verify), SoftwareTokenEndpoints.verify),
        Operation("SetUserMFAPreference", .user, limit: .by(.user), PreferenceEndpoints.set),
        Operation("SetUserSettings", .user, limit: .by(.user), PreferenceEndpoints.setOptions),
        Operation("AdminSetUserMFAPreference", .pool, PreferenceEndpoints.set),
        Operation("AdminSetUserSettings", .pool, PreferenceEndpoints.setOptions),
        Operation("AdminDeleteSoftwareToken", .pool, PreferenceEndpoints.deleteSoftwareToken),
        Operation("GetUserPoolMfaConfig", .pool) { PoolMFA.json(of: $0.directory.settings) },
        Operation("SetUserPoolMfaConfig", .pool, PoolMFA.set),
    ]
}
