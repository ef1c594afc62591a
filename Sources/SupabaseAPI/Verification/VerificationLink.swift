// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The links in this dialect's mails: `GET {base}/verify?token=…&type=…&redirect_to=…`.
struct VerificationLink: VerificationLinks {
    /// The dialect's own URL for the Directory, from the configuration.
    let baseURL: String

    func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
    ) -> String {
        let type = VerificationType(purpose)
        let path = directory.settings.mail.paths[purpose.messageName] ?? "/verify"
        let base = path.hasPrefix("http://") || path.hasPrefix("https://") ? path : baseURL + path
        let query = RedirectTarget.encode([
            ("token", token), ("type", type.rawValue), ("redirect_to", redirectTo),
        ])
        return base + (base.contains("?") ? "&" : "?") + query
    }
}
