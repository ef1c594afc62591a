// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import Mail
import ServerKit

/// One call of this API: who it comes from is known, what it says is still to be read.
struct AppCall: Sendable {
    let accounts: AccountFlows
    let flow: CallContext
    private let caller: AppCaller
    let request: Request
    /// The `id` of the path, where it has one.
    let id: String?
    /// That of a client's secret.
    let secret: String?

    init(
        _ request: Request, _ context: AppRequestContext, by access: Route.Access, accounts: AccountFlows
    ) throws(AuthError) {
        self.accounts = accounts
        self.request = request
        caller = try context.requireCaller()
        id = context.parameters.get("id")
        secret = context.parameters.get("secret")
        let (directory, actor): (Directory, AuditEvent.Actor)
        var links: any VerificationLinks = SiteLinks()
        switch caller {
        case .user(let user):
            (directory, links) = (user.issuer.directory, user.issuer.links)
            let id = user.view.account.id
            actor = access == .user ? .user(id) : .administrator(id.rawValue)
        case .program(let key, let place):
            // Asked once more where the operation begins.
            guard let scope = access.scope, key.allows(scope) else { throw Self.noUser }
            (directory, actor) = (place, key.actor)
        }
        flow = CallContext(
            directory: directory, now: context.now,
            device: DeviceMetadata(request, client: context.parent.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]), links: links,
            actor: actor)
    }

    /// The signed-in user of an operation that is about them.
    ///
    /// - Throws: ``AuthErrorCode/forbidden`` for a program.
    var user: SignedInUser {
        get throws(AuthError) {
            guard case .user(let user) = caller else { throw Self.noUser }
            return user
        }
    }

    private static let noUser = AuthError(.forbidden, reason: "a program, which is nobody's account")
}

/// Where links lead in what a program asks for, which no page of a dialect is behind.
private struct SiteLinks: VerificationLinks {
    func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
        redirectTo
    }
}
