// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Deletions at the wish of users who have told the operator, such as by letter: by the flow of those who do it
/// themselves (``DeleteAccount``), with the same messages, grace and traces. Every call needs an administrator as its
/// actor.
public struct DeletionAdministration: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Signs the user out everywhere, and deletes the account once the grace is over, unless they sign in before. One
    /// who waits already waits for as long as was said first.
    ///
    /// - Parameter grace: `nil` for that of the Directory.
    /// - Returns: when it is due.
    /// - Throws: ``AuthErrorCode/forbidden``, ``AuthErrorCode/userNotFound``; ``AuthErrorCode/invalidRequest`` with the
    ///   field `grace` where there is none, which is what ``deleteNow(_:call:)`` is for, and of an anonymous user, who
    ///   has no way to come back.
    public func request(_ user: UserID, grace: TimeSpan? = nil, call: CallContext) async throws -> Instant {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let step = try Self.speaking(to: user, step)
            let found = try step.tx.liveUser(user, in: step.directory)
            if let due = found.deletionDueAt { return due }
            guard let grace = found.isAnonymous ? nil : grace ?? DeletionTerms(of: found, step.settings).grace,
                grace > .zero
            else { throw AuthError(.invalidRequest, reason: "there is no time of grace", field: "grace") }
            return try DeleteAccount.postpone(found, by: grace, step)
        }
    }

    /// Keeps an account that was to be deleted, and tells its user.
    ///
    /// - Returns: whether it was to be.
    /// - Throws: ``AuthErrorCode/forbidden``, ``AuthErrorCode/userNotFound``.
    public func undo(_ user: UserID, call: CallContext) async throws -> Bool {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let step = try Self.speaking(to: user, step)
            var found = try step.tx.liveUser(user, in: step.directory)
            guard found.deletionDueAt != nil else { return false }
            found.deletionDueAt = nil
            found.updatedAt = step.now
            found = try step.tx.update(found)
            try OwnerNotice(step).tellDeletionCancelled(found)
            try step.record(.deletionCancelled, found)
            return true
        }
    }

    /// Deletes the account now, and tells whoever had it.
    ///
    /// - Throws: ``AuthErrorCode/forbidden``, ``AuthErrorCode/userNotFound``.
    public func deleteNow(_ user: UserID, call: CallContext) async throws {
        try call.requireAdministrator()
        let isErased = try await ports.write(call) { step in
            let step = try Self.speaking(to: user, step)
            return try DeleteAccount.delete(try step.tx.liveUser(user, in: step.directory), by: step)
        }
        if !isErased { try await EraseAccount(ports)(user, in: call.directory.id) }
    }

    /// Who waits to be deleted, the first due first.
    ///
    /// - Parameter limit: how many at most.
    /// - Throws: ``AuthErrorCode/forbidden``.
    public func list(limit: Int, call: CallContext) async throws -> [User] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.users(waitingForDeletionIn: call.directory.id, limit: limit) }
    }

    /// The same step, in the language of whom it is about: the operator's is nobody's of theirs.
    private static func speaking(to user: UserID, _ step: FlowStep) throws -> FlowStep {
        guard let locale = try step.tx.profile(of: user, in: step.directory)?.locale else { return step }
        var call = step.call
        call.language = MessageLanguage(acceptLanguage: locale)
        return step.with(call)
    }
}
