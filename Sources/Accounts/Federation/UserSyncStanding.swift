// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What has become of a user's synchronization that had to wait.
public struct UserSyncStanding: Sendable {
    public enum State: String, Sendable, CaseIterable {
        case waiting
        case done
        /// It won't be tried again; ``UserSyncStanding/error`` says why.
        case failed
    }

    public var state: State
    public var attempts: Int
    public var nextTryAt: Instant?
    /// What stood in the way when it was last tried.
    public var error: String?
    /// Who it was about, once it is done; `nil` for one who is gone meanwhile.
    public var user: UserRecord?

    /// - Throws: ``AuthErrorCode/notFound``, also for another Directory's, and once it is forgotten.
    init(_ id: OutboxMessageID, in directory: DirectoryID, _ tx: any StoreReading) throws {
        guard let message = try tx.outboxMessage(id), message.directoryID == directory,
            case .userSync(let sync) = message.content
        else { throw AuthError(.notFound, reason: "nothing waits or has waited by this name") }
        (attempts, error) = (message.attempts, message.lastError)
        switch message.state {
        case .pending: (state, nextTryAt) = (.waiting, message.dueAt)
        case .sent:
            state = .done
            let found = try sync.user.flatMap { try tx.user($0, in: directory) }
            user = try found.flatMap { $0.deletedAt == nil ? try UserRecord($0, tx) : nil }
        case .failed, .kept, .discarded: state = .failed
        }
    }
}
