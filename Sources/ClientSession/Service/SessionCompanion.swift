// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app keeps beside a session and for its user: a queue of changes, a cache, credentials of another service.
public protocol SessionCompanion: Sendable {
    /// The user has signed out, in this process or another, has deleted the account, or another user comes: before
    /// anybody is told that they are there. Not called where the service ended a session, since the same user will be
    /// back; if it is another who comes then, it is called before that. Called once more where a process died within
    /// it, or it took longer than five seconds, after which its task is cancelled: again and again, some minutes long,
    /// until it has returned in time or the user is back; then by the next process.
    ///
    /// - Parameters:
    ///   - options: what the user chose to keep.
    ///   - subject: whose it is that is over, the claim `sub`; `nil` where nobody knows, for whoever's there is.
    func sessionEnded(_ options: SignOutOptions, of subject: String?) async
    /// The service is there again, with a live session: what has waited can be sent. Begins it and returns.
    func sessionReady(_ user: SessionUser) async
}

extension SessionCompanion {
    public func sessionReady(_ user: SessionUser) async {}
}
