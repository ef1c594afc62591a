// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A session that a browser has with the server itself, and its user: by it apps are signed in to one after the other.
public struct BrowserSession: Sendable {
    public var session: Session
    public var user: User
    /// What the browser's cookie holds: a refresh token that stays as it is.
    public var cookie: Secret<String>

    init(_ issued: IssuedSession) {
        session = issued.session
        user = issued.user
        cookie = issued.refreshToken
    }
}

extension CallContext {
    /// The call as one of the browser's own, whichever client has sent it here. Sessions that it opens are the
    /// browser's: no client's, and with a token that stays.
    public var inBrowser: CallContext {
        var call = self
        call.dialect = .browser
        call.client = nil
        call.rotates = false
        return call
    }
}
