// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import HummingbirdTokenAuth
import ServerKit

/// What a handler of this API knows: the request's context, who it comes from, and their account.
struct AppRequestContext: ChildRequestContext, TokenAuthRequestContext {
    /// The server's own context of the request.
    private(set) var parent: LatchkeyRequestContext
    var identity: TokenIdentity?
    /// Set by ``SessionMiddleware``.
    var caller: AppCaller?

    init(context: LatchkeyRequestContext) {
        parent = context
    }

    var coreContext: CoreRequestContextStorage {
        get { parent.coreContext }
        set { parent.coreContext = newValue }
    }

    var now: Instant { parent.now }

    /// Who sends the request.
    ///
    /// - Throws: ``AuthErrorCode/tokenMissing`` where nobody was proven.
    func requireCaller() throws(AuthError) -> AppCaller {
        guard let caller else { throw AuthError(.tokenMissing) }
        return caller
    }
}

/// Who a request comes from.
enum AppCaller: Sendable {
    case user(SignedInUser)
    /// A program, by an API key of this Directory (C-6).
    indirect case program(APIKey, Directory)
}

/// The user behind a token whose session lives. One object, since each step of a request copies its context.
final class SignedInUser: Sendable {
    let view: ProfileView
    let session: SessionID
    /// What the token calls them, which is what their dialect does.
    let subject: String
    let issuer: OwnIssuer
    /// As ``Accounts/AuthenticatedUser/tokenIssuedAt``.
    let tokenIssuedAt: Instant?

    init(view: ProfileView, session: SessionID, subject: String, issuer: OwnIssuer, tokenIssuedAt: Instant?) {
        self.view = view
        self.session = session
        self.subject = subject
        self.issuer = issuer
        self.tokenIssuedAt = tokenIssuedAt
    }
}
