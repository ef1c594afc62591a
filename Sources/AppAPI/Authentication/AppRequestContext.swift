// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import HummingbirdTokenAuth
import ServerKit

/// What a handler of this API knows: the request's context, who it comes from, and their account.
struct AppRequestContext: ChildRequestContext, TokenAuthRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The server's own context of the request.
    let parent: LatchkeyRequestContext
    var identity: TokenIdentity?
    /// Set by ``SessionMiddleware``.
    var signedIn: SignedInUser?

    init(context: LatchkeyRequestContext) {
        parent = context
        coreContext = context.coreContext
    }

    var now: Instant { parent.now }

    /// The user behind the request.
    ///
    /// - Throws: ``AuthErrorCode/tokenMissing`` where none was proven.
    func user() throws(AuthError) -> SignedInUser {
        guard let signedIn else { throw AuthError(.tokenMissing) }
        return signedIn
    }
}

/// The user behind a token whose session lives.
struct SignedInUser: Sendable {
    var view: ProfileView
    var session: SessionID
    /// What the token calls them, which is what their dialect does.
    var subject: String
    var issuer: OwnIssuer
}
