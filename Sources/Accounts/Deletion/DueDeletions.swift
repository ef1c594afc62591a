// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Deletes the accounts whose time of grace is over, and finishes the deletions that somebody has left in the midst:
/// off every request's path, by whoever runs the program.
public struct DueDeletions: Sendable {
    /// How many are read at once.
    private static let batch = 50

    private let ports: AccountPorts
    private let links: any VerificationLinks

    /// - Parameter links: of the mails that tell of it.
    public init(_ ports: AccountPorts, links: any VerificationLinks) {
        self.ports = ports
        self.links = links
    }

    /// Deletes everything that is due at `now`. One that fails keeps none of its batch back, and no deletion that was
    /// begun.
    ///
    /// - Returns: how many accounts were ended or finished.
    /// - Throws: `CancellationError`; what the first of those that failed threw.
    @discardableResult
    public func pass(at now: Instant) async throws -> Int {
        var (count, failures) = (0, [any Error]())
        var isMore = true
        while isMore, failures.isEmpty {
            let due = try await ports.store.read { try $0.users(dueForDeletionAt: now, limit: Self.batch) }
            isMore = due.count == Self.batch
            for user in due {
                do { count += try await end(user, at: now) ? 1 : 0 } catch let error as AuthError {
                    failures.append(error)
                }
            }
        }
        // What was begun is finished, whatever came of those.
        isMore = true
        var isStuck = false
        while isMore, !isStuck {
            let left = try await ports.store.read { try $0.erasures(limit: Self.batch) }
            isMore = left.count == Self.batch
            for erasure in left {
                do {
                    try await EraseAccount(ports)(erasure.userID, in: erasure.directoryID)
                    count += 1
                } catch let error as AuthError {
                    failures.append(error)
                    isStuck = true
                }
            }
        }
        if let failure = failures.first { throw failure }
        return count
    }

    /// Whether it was still due: its user may have signed in meanwhile.
    private func end(_ user: User, at now: Instant) async throws -> Bool {
        guard let directory = try await ports.store.read({ try $0.directory(user.directoryID) }) else { return false }
        let profile = try await ports.store.read { try $0.profile(of: user.id, in: user.directoryID) }
        let call = CallContext(
            directory: directory, now: now, device: DeviceMetadata(),
            language: user.preferredLanguage(profile) ?? .en, links: links, actor: .user(user.id))
        let isErased = try await ports.write(call) { step -> Bool? in
            guard let found = try step.tx.user(user.id, in: user.directoryID), found.deletedAt == nil,
                let due = found.deletionDueAt, due <= now
            else { return nil }
            return try DeleteAccount.delete(found, by: step)
        }
        guard let isErased else { return false }
        if !isErased { try await EraseAccount(ports)(user.id, in: user.directoryID) }
        return true
    }
}
