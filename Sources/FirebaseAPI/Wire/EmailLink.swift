// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts

/// Sign-in by a mailed link, as a project or a tenant allows it (`enableEmailLinkSignin`).
enum EmailLink {
    static func isEnabled(_ settings: DirectorySettings) -> Bool {
        settings.signUp.emailEnabled && settings.signUp.emailLinkEnabled
    }

    /// - Throws: `OPERATION_NOT_ALLOWED`.
    static func requireEnabled(_ settings: DirectorySettings) throws(WireError) {
        guard isEnabled(settings) else {
            throw WireError("OPERATION_NOT_ALLOWED", "Email link sign-in is not enabled.")
        }
    }

    /// Whether the user signs in by links, and by nothing else that their address leads to.
    static func isUsed(by record: UserRecord) -> Bool {
        record.user.passwordHash == nil && record.user.emailVerifiedAt != nil
            && record.identities.contains { $0.provider == "email" && $0.lastSignInAt != nil }
    }
}
