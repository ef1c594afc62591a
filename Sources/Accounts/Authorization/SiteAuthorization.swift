// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Goes on with a request that a page of the app's own stands before
/// (``BeginAuthorization/forSite(_:_:lifetime:call:)``): the user is signed in to that app, and asked there. No cookie
/// of ours is in it, so that the request is bound to the first user who looks at it, and answered by nobody else.
public struct SiteAuthorization: Sendable {
    public enum Step: Sendable {
        /// - Parameter client: whom the user is asked about.
        case question(PendingAuthorization, client: Client)
        case respond(AuthorizationResponse)
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What the user is to be asked, or the answer where they have agreed to all of it before.
    ///
    /// - Parameter holder: whoever is signed in to the app.
    /// - Throws: ``AuthorizationRefusal`` with what makes the request stale: unknown, too, for one that somebody else
    ///   looked at first. ``AuthErrorCode/sessionNotFound`` for a caller without a session.
    public func look(
        at id: PendingAuthorizationID, by holder: AuthenticatedUser, call: CallContext
    ) async throws -> Step {
        let session = try Self.session(of: holder)
        return try await ports.write(call) { step in
            var pending = try Self.pending(id, step)
            if pending.chosenSession == nil {
                pending.chosenSession = session.id
                guard try step.tx.update(pending) else { throw AuthorizationRefusal(.completed) }
            }
            try Self.requireOwn(pending, of: holder.user, step)
            let open = try OpenAuthorization(
                pending, of: (session, holder.user), isAtSite: true, step.call, step.tx, step.random)
            if let response = try open.proceed(isStored: true, step).response { return .respond(response) }
            return .question(pending, client: open.client)
        }
    }

    /// Takes the user's answer: what the client is told by way of the browser.
    ///
    /// - Throws: as ``look(at:by:call:)``; unknown, too, for a request that nobody has looked at.
    public func answer(
        _ id: PendingAuthorizationID, _ answer: AnswerConsent.Answer, by holder: AuthenticatedUser, call: CallContext
    ) async throws -> AuthorizationResponse {
        let session = try Self.session(of: holder)
        return try await ports.write(call) { step in
            var pending = try Self.pending(id, step)
            try Self.requireOwn(pending, of: holder.user, step)
            let open = try OpenAuthorization(
                pending, of: (session, holder.user), isAtSite: true, step.call, step.tx, step.random)
            let isTaken = try AnswerConsent.take(answer, to: &pending, open, step)
            // Whoever has agreed elsewhere meanwhile, and here says no, has said no.
            if case .deny = answer { pending.isDenied = true }
            guard try !isTaken || step.tx.update(pending) else { throw AuthorizationRefusal(.completed) }
            let answered = try OpenAuthorization(
                pending, of: (session, holder.user), isAtSite: true, step.call, step.tx, step.random)
            guard let response = try answered.proceed(isStored: true, step).response else {
                throw AuthorizationRefusal(.unknown)
            }
            return response
        }
    }

    /// A token that names no session says nothing of how and when its user was there.
    private static func session(of holder: AuthenticatedUser) throws(AuthError) -> Session {
        guard let session = holder.session else { throw AuthError(.sessionNotFound, reason: "the token names none") }
        return session
    }

    /// One that stands before no page of ours, and that no client has pushed.
    private static func pending(_ id: PendingAuthorizationID, _ step: FlowStep) throws -> PendingAuthorization {
        guard id.rawValue.utf8.count <= ContinueAuthorization.maximumIdentifierLength,
            let pending = try step.tx.pendingAuthorization(id), pending.browser == nil, !pending.isPushed,
            pending.directoryID == step.directory
        else { throw AuthorizationRefusal(.unknown) }
        guard pending.expiresAt > step.now else { throw AuthorizationRefusal(.expired) }
        if pending.completedAt != nil { throw AuthorizationRefusal(.completed) }
        return pending
    }

    private static func requireOwn(_ pending: PendingAuthorization, of user: User, _ step: FlowStep) throws {
        guard let viewer = pending.chosenSession, try step.tx.session(viewer, in: step.directory)?.userID == user.id
        else { throw AuthorizationRefusal(.unknown) }
    }
}
