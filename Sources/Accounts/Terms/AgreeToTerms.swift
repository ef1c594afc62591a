// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes the step of a sign-in that asks for agreement: what follows is decided anew, as after any proof (ADR 0019).
/// Where a version takes effect meanwhile, that is asked for too.
public struct AgreeToTerms: Sendable {
    private static let maximumCount = 50

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What the sign-in waits for.
    ///
    /// - Parameter ticket: of ``SignInTicket/Step/terms``.
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a ticket that was used, or whose proof is void.
    public func due(for ticket: SignInTicket, call: CallContext) async throws -> [Terms] {
        guard ticket.step == .terms else { throw AuthError(.flowStateNotFound) }
        return try await ports.store.read { tx in
            try AgreementLog.due(of: try ticket.holder(call, tx), call, tx)
        }
    }

    /// - Parameters:
    ///   - ticket: of ``SignInTicket/Step/terms``; it is spent.
    ///   - agreed: the versions that the user was shown and agrees to.
    /// - Returns: the same step again where something is asked for that is not among them.
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a ticket that was used or whose proof is void,
    ///   ``AuthErrorCode/userBanned``; ``AuthErrorCode/invalidRequest`` for a version that there is not.
    public func callAsFunction(
        _ ticket: SignInTicket, agreed: [TermsReference], call: CallContext
    ) async throws -> SignInStep {
        guard ticket.step == .terms else { throw AuthError(.flowStateNotFound) }
        return try await ports.write(call) { step in
            let holder = try ticket.redeem(step)
            try Self.note(agreed, by: holder.user, step)
            return try SessionIssuer(step).conclude(holder.proof, of: holder.user, .stored).get()
        }
    }

    // MARK: For whoever is signed in already

    /// What a user must agree to before anything else is opened for them; empty where they have.
    public func due(of user: User, call: CallContext) async throws -> [Terms] {
        try await ports.store.read { try AgreementLog.due(of: user, call, $0) }
    }

    /// Writes down what whoever is signed in agrees to, on the way to an app.
    ///
    /// - Parameter client: the app's.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a version that there is not, ``AuthErrorCode/userNotFound``,
    ///   ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        of user: UserID, agreed: [TermsReference], client: ClientID?, call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            try call.requireUsable(user)
            try Self.note(agreed, by: user, client: client, step)
        }
    }

    // MARK: For apps that know no such step

    /// What the link's user must agree to before their app gets a session; empty where they have.
    ///
    /// - Throws: ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/userBanned``.
    public func due(for link: AgreementLink, call: CallContext) async throws -> [Terms] {
        try await ports.store.read { tx in try AgreementLog.due(of: try link.holder(call, tx), call, tx) }
    }

    /// Writes down what the link's user agrees to; they sign in anew by their app.
    ///
    /// - Returns: what is still asked for.
    /// - Throws: as ``due(for:call:)-(AgreementLink,_)``; ``AuthErrorCode/invalidRequest`` for a version that there is
    ///   not.
    public func callAsFunction(
        _ link: AgreementLink, agreed: [TermsReference], call: CallContext
    ) async throws -> [Terms] {
        try await ports.write(call) { step in
            let user = try link.holder(call, step.tx)
            try Self.note(agreed, by: user, dialect: link.dialect, client: link.client, step)
            return try AgreementLog.due(of: user, call, step.tx)
        }
    }

    private static func note(
        _ agreed: [TermsReference], by user: User, dialect: DialectName? = nil, client: ClientID? = nil,
        _ step: FlowStep
    ) throws {
        guard agreed.count <= maximumCount else { throw TermsLine.refusal }
        let log = try AgreementLog(step)
        for reference in agreed {
            guard let terms = log.book.effective(reference, at: step.now), terms.kind == .document else {
                throw TermsLine.refusal
            }
            try log.note(true, to: terms, by: user, on: .signIn, dialect: dialect, client: client)
        }
    }
}
