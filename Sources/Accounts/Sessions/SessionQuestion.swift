// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whether a token's session may still be used, as ``SessionAuthentication/profile(of:session:in:at:)`` judges it, to
/// be asked in a transaction that is for something else first. The answer says nothing before the token is judged.
public struct SessionQuestion: Sendable {
    /// What the store is asked for it.
    let asked: HolderQuestion
    private let user: UserID
    private let now: Instant

    /// - Parameter user: the token's subject: what its dialect calls the user.
    public init(of session: SessionID, user: UserID, in directory: Directory, at now: Instant) {
        asked = HolderQuestion(session: session, directory: directory.id)
        self.user = user
        self.now = now
    }

    func isLive(_ holder: SessionHolder?) -> Bool {
        holder.map { $0.isCalled(user.rawValue) && $0.mayUse(at: now) } ?? false
    }
}
