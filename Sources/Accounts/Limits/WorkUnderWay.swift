// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Synchronization

/// Work of this process that holds much in memory while it lasts: one piece for a user at a time, and few in all.
final class WorkUnderWay: Sendable {
    /// How soon who was sent away may come again.
    private static let wait = Span.seconds(5)

    private let most: Int
    private let users = Mutex<Set<UserID>>([])

    init(most: Int) {
        self.most = most
    }

    /// - Throws: ``AuthErrorCode/rateLimited`` while the user's own is under way, ``AuthErrorCode/overloaded`` while as many
    ///   are as may be; both with a time to wait. What `work` throws.
    func run<Value: Sendable>(for user: UserID, _ work: () async throws -> Value) async throws -> Value {
        let refusal: AuthErrorCode? = users.withLock { users in
            if users.contains(user) { return .rateLimited }
            guard users.count < most else { return .overloaded }
            users.insert(user)
            return nil
        }
        if let refusal { throw AuthError(refusal, retryAfter: Self.wait) }
        defer { users.withLock { _ = $0.remove(user) } }
        return try await work()
    }
}
