// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The command line sends no mail with links: those come from the server, which knows its own URL.
struct NoLinks: VerificationLinks {
    func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
        redirectTo
    }
}
