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
    let user: SignedInUser
    let request: Request
    /// The `id` of the path, where it has one.
    let id: String?

    init(
        _ request: Request, _ context: AppRequestContext, by access: Route.Access, accounts: AccountFlows
    ) throws(AuthError) {
        self.accounts = accounts
        self.request = request
        user = try context.user()
        id = context.parameters.get("id")
        let actor: AuditEvent.Actor =
            switch access {
            case .user: .user(user.view.account.id)
            case .administrator: .administrator(user.view.account.id.rawValue)
            }
        flow = CallContext(
            directory: user.issuer.directory, now: context.now,
            device: DeviceMetadata(request, client: context.parent.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]), links: user.issuer.links,
            actor: actor)
    }
}
