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
    let request: Request
    private let access: Route.Access
    private let caller: AppCaller
    private let context: AppRequestContext

    init(
        _ request: Request, _ context: AppRequestContext, by access: Route.Access, accounts: AccountFlows
    ) throws(AuthError) {
        self.accounts = accounts
        self.request = request
        self.access = access
        self.context = context
        caller = try context.requireCaller()
        if case .program(let key, _) = caller {
            // Asked once more where the operation begins.
            guard let scope = access.scope, key.allows(scope) else { throw Self.noUser }
        }
    }

    /// The one that the operation is about.
    var directory: Directory {
        switch caller {
        case .user(let user): user.issuer.directory
        case .program(_, let place): place
        }
    }

    /// The `id` of the path, where it has one.
    var id: String? { context.parameters.get("id") }
    /// That of a client's secret.
    var secret: String? { context.parameters.get("secret") }
    /// Another part of the path.
    func part(_ name: String) -> String { context.parameters.get(name) ?? "" }
    var now: Instant { context.now }

    /// What a flow is told of it. Made for those operations that call one.
    var flow: CallContext {
        CallContext(
            directory: directory, now: context.now,
            device: DeviceMetadata(request, client: context.parent.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]), links: links,
            actor: actor)
    }

    private var links: any VerificationLinks {
        switch caller {
        case .user(let user): user.issuer.links
        case .program: SiteLinks()
        }
    }

    private var actor: AuditEvent.Actor {
        switch caller {
        case .user(let user):
            let id = user.view.account.id
            return access == .user ? .user(id) : .administrator(id.rawValue)
        case .program(let key, _): return key.actor
        }
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

    /// The same with what flows ask for that change an account: their user and session as the store has them now.
    var authenticated: AuthenticatedUser {
        get async throws {
            let user = try user
            return try await accounts.sessionAuthentication(
                TokenSubject(user: user.view.account.id, session: user.session, issuedAt: user.tokenIssuedAt),
                call: flow)
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
