// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app keeps beside a session and for its user: a queue of changes, a cache, credentials of another service.
public protocol SessionCompanion: Sendable {
    /// The user has signed out, or another one has signed in. Not called where a session was ended by the service: the same
    /// user will be back. Called once more where a process died within it.
    ///
    /// - Parameter options: what the user chose to keep.
    func sessionEnded(_ options: SignOutOptions) async
    /// The service is there again, with a live session: what has waited can be sent. Begins it and returns.
    func sessionReady(_ user: SessionUser) async
}

extension SessionCompanion {
    public func sessionReady(_ user: SessionUser) async {}
}
