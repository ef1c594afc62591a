// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// The links of messages that these pages send: they lead back here, and to what the browser was in the midst of.
struct AccountLinks: VerificationLinks {
    let url: ServerURL
    /// Where the Directory's pages are.
    let base: String
    let request: PendingAuthorizationID?

    func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
    ) -> String {
        let page = purpose == .recovery ? "/reset?" : "/link?purpose=\(purpose.rawValue)&"
        let request = request.map { "&request=\(PercentEncoding.encode($0.rawValue.utf8))" } ?? ""
        return url.text + base + page + "token=\(PercentEncoding.encode(token.utf8))" + request
    }
}
