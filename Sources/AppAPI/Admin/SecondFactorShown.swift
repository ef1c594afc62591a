// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import HummingbirdTokenAuth
import JOSE
import ServerKit
import TokenVerifier

/// Refuses an administrator who has a second factor in a session that does not show it. Placed behind the policy that
/// says who is one, so that nobody else is told of it.
struct SecondFactorShown: RouterMiddleware {
    typealias Context = AppRequestContext

    let accounts: AccountFlows

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        // A program has no factors: its key is what it shows.
        if case .user(let signedIn) = try context.requireCaller() {
            let isAssured = try await accounts.sessionAuthentication.isAssured(
                user: signedIn.view.account.id, session: signedIn.session,
                tokenIssuedAt: context.identity?.verifiedToken?.claims.issuedAt, in: signedIn.issuer.directory,
                at: context.now)
            guard isAssured else { throw AuthError(.insufficientAssurance) }
        }
        return try await next(request, context)
    }
}
