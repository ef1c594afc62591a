// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts

/// Links of messages that are answered by typing their code: they lead to the app's own site, and where the operator
/// has named none, to this server's own pages, which take the link itself.
public struct SiteLinks: VerificationLinks {
    private let pages: AccountLinks

    public init(_ url: ServerURL) {
        pages = AccountLinks(url: url)
    }

    public func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
    ) -> String {
        directory.settings.siteURL == nil || purpose.opensOwnPage
            ? pages.link(for: purpose, token: token, redirectTo: redirectTo, in: directory) : redirectTo
    }

    public func home(of directory: Directory) -> String { pages.home(of: directory) }
}
