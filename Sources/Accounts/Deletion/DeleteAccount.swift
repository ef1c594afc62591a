// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Deletes a signed-in user's account at their own wish: the one way of every dialect (ADR 0064).
///
/// Where the Directory gives no time of grace it is over at once: every session, link and code ends, the addresses are
/// free, and what was kept of the person is gone when this returns. Otherwise the user is signed out everywhere, and
/// whoever signs in before the time is over keeps the account.
public struct DeleteAccount: Sendable {
    /// For how long a proof of who asks counts as recent.
    static let freshness = TimeSpan.minutes(5)

    /// What has become of the account.
    public enum Outcome: Sendable, Hashable {
        case deleted
        /// When it will be, unless its user signs in before.
        case due(Instant)
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Tells the user by every way into the account.
    ///
    /// - Parameter asksForProof: whether the dialect's clients know that a recent sign-in may be asked for.
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``;
    ///   ``AuthErrorCode/insufficientAssurance`` for a session without a second factor of a user who has one;
    ///   ``AuthErrorCode/reauthenticationNeeded`` where they last proved who they are more than five minutes ago.
    @discardableResult
    public func callAsFunction(
        _ authenticated: AuthenticatedUser, asksForProof: Bool, call: CallContext
    ) async throws -> Outcome {
        let (outcome, isErased) = try await ports.write(call) { step -> (Outcome, Bool) in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            let terms = DeletionTerms(of: user, step.settings)
            if terms.needsProof(authenticated.session, asksForProof: asksForProof, at: step.now) {
                throw AuthError(.reauthenticationNeeded)
            }
            guard let grace = terms.grace else { return (.deleted, try Self.delete(user, by: step)) }
            return (.due(try Self.postpone(user, by: grace, step)), true)
        }
        if !isErased { try await EraseAccount(ports)(authenticated.user.id, in: call.directory.id) }
        return outcome
    }

    /// Ends the account now, and tells whoever had it.
    ///
    /// - Returns: whether nothing is left to ``EraseAccount``.
    static func delete(_ user: User, by step: FlowStep) throws -> Bool {
        let isErased = try AccountEnding(step).softDelete(user)
        // After what was owed to the address has gone, so that this stays.
        try OwnerNotice(step).tellDeleted(user)
        let byUser =
            switch step.call.actor {
            case .administrator, .commandLine: false
            case .user, .unknown: true
            }
        try step.recordEnd(
            of: user, isOwnWish: byUser, details: ["soft": true, "by": byUser ? "user" : "operator"])
        return isErased
    }

    /// Ends what is open of the account, and says until when its user may come back.
    static func postpone(_ user: User, by grace: TimeSpan, _ step: FlowStep) throws -> Instant {
        var leaving = user
        let due = step.now + grace
        leaving.deletionDueAt = due
        leaving.revokeTokens(at: step.now)
        leaving.updatedAt = step.now
        leaving = try step.tx.update(leaving)
        try AccountEnding(step).endAll(of: leaving, because: .deleted)
        try OwnerNotice(step).tellDeletionDue(leaving, at: due)
        try step.record(.deletionRequested, leaving, details: ["due": .string(due.rfc3339)])
        return due
    }
}

extension FlowStep {
    /// What stays in the log of somebody who was deleted: who it was by a number that says nothing, when, and at whose
    /// wish.
    ///
    /// - Parameter isOwnWish: whether they did it themselves: then the place they did it from goes with them.
    ///   Administrators answer for what they do.
    func recordEnd(of user: User, isOwnWish: Bool, details: JSONObject) throws {
        var call = call
        call.device = DeviceMetadata(truncatedAddress: isOwnWish ? nil : call.device.truncatedAddress)
        try with(call).record(
            .userDeleted, user: user.id, identifiers: user.externalIdentifiers, details: details)
    }
}
