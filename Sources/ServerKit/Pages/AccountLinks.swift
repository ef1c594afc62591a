// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// Links of messages that this server's own account pages take: each does there all that it is for. They are those of
/// the messages that the pages themselves send, and of every dialect's where the app has no place for them.
public struct AccountLinks: VerificationLinks {
    private let url: ServerURL
    private let request: PendingAuthorizationID?

    /// - Parameter request: what the browser is in the midst of, and led back to afterwards.
    public init(url: ServerURL, request: PendingAuthorizationID? = nil) {
        self.url = url
        self.request = request
    }

    public func link(
        for purpose: OneTimeToken.Purpose, token: String, redirectTo _: String, in directory: Directory
    ) -> String {
        // Whoever is invited chooses a password, as who has forgotten theirs does.
        let page = purpose == .recovery || purpose == .invitation ? "/reset" : "/link"
        let request = request.map { "&request=\(PercentEncoding.encode($0.rawValue.utf8))" } ?? ""
        return home(of: directory) + page + "?purpose=\(purpose.rawValue)&token=\(PercentEncoding.encode(token.utf8))"
            + request
    }

    public func home(of directory: Directory) -> String { url.text + AccountPlace.path(of: directory) }
}
