// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Work of this process that goes on for a while: one piece for a user at a time, and so many in all.
final class WorkUnderWay: Sendable {
    /// How soon who was sent away may come again.
    private static let wait = TimeSpan.seconds(5)

    private let most: Int
    private let users = Mutex<Set<UserID>>([])

    init(most: Int) {
        self.most = most
    }

    /// A place among what is under way, until it is left or nobody holds it any more.
    final class Place: Sendable {
        private let work: WorkUnderWay
        private let user: UserID
        private let isLeft = Mutex(false)

        fileprivate init(in work: WorkUnderWay, for user: UserID) {
            self.work = work
            self.user = user
        }

        deinit { leave() }

        func leave() {
            let wasLeft = isLeft.withLock { isLeft in
                defer { isLeft = true }
                return isLeft
            }
            // By now it may be another's of the same user.
            guard !wasLeft else { return }
            work.users.withLock { _ = $0.remove(user) }
        }
    }

    /// - Throws: ``AuthErrorCode/rateLimited`` while the user's own is under way, ``AuthErrorCode/overloaded`` while as
    ///   many are as may be; both with a time to wait.
    func place(for user: UserID) throws(AuthError) -> Place {
        let refusal: AuthErrorCode? = users.withLock { users in
            if users.contains(user) { return .rateLimited }
            guard users.count < most else { return .overloaded }
            users.insert(user)
            return nil
        }
        if let refusal { throw AuthError(refusal, retryAfter: Self.wait) }
        return Place(in: self, for: user)
    }
}
