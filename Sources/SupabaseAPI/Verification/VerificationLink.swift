// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// The links in this dialect's mails: `GET {base}/verify?token=…&type=…&redirect_to=…`, without the last where nobody
/// has named a place to go on to.
struct VerificationLink: VerificationLinks {
    /// The dialect's own URL for the Directory, from the configuration.
    let baseURL: String
    /// This server's own pages, which do what the link is for where the app has no place for it.
    let pages: AccountLinks

    func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
    ) -> String {
        // No app has a place for the link that lifts a lock.
        if purpose.opensOwnPage { return pages.link(for: purpose, token: token, redirectTo: redirectTo, in: directory) }
        let type = VerificationType(purpose)
        let path = directory.settings.mail.paths[purpose.messageName] ?? "/verify"
        let base = path.hasPrefix("http://") || path.hasPrefix("https://") ? path : baseURL + path
        let query = RedirectTarget.encode(
            [("token", token), ("type", type.rawValue)]
                + (redirectTo == home(of: directory) ? [] : [("redirect_to", redirectTo)]))
        return base + (base.contains("?") ? "&" : "?") + query
    }

    /// `{address}?token_hash=…&type=…`: the app hands both to `verifyOtp`.
    func appLink(
        _ address: String, for purpose: OneTimeToken.Purpose, token _: String, tokenHash: String, redirectTo: String,
        in directory: Directory
    ) -> String? {
        let query = RedirectTarget.encode(
            [("token_hash", tokenHash), ("type", VerificationType(purpose).rawValue)]
                + (redirectTo == home(of: directory) ? [] : [("redirect_to", redirectTo)]))
        return address + (address.contains("?") ? "&" : "?") + query
    }

    func home(of directory: Directory) -> String { pages.home(of: directory) }
}
