// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import Hummingbird
import HummingbirdTokenAuth
import ServerKit

/// Takes the groups of the user from the store and not from the token: whoever is taken out of a group is out with the
/// next request, and tokens of every dialect are alike, those that name no groups among them.
struct StoredGroups: RouterMiddleware {
    typealias Context = AppRequestContext

    let accounts: AccountFlows

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        // A program has no groups: its scopes say what it may.
        guard case .user(let signedIn) = try context.requireCaller() else { return try await next(request, context) }
        let groups = try await accounts.userGroups(of: signedIn.view.account.id, in: signedIn.issuer.directory)
        var context = context
        context.identity = context.identity?.verifiedToken.map { .member($0, of: Set(groups.map(\.name))) }
        return try await next(request, context)
    }
}
