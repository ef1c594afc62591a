// SPDX-License-Identifier: Apache-2.0

/// How a sign-out is done.
public struct SignOutOptions: Sendable, Hashable {
    /// Which of the user's sessions end.
    public var scope: SignOutScope
    /// Keeps what the app itself stored on the device (G-13.6): its queue of changes, its own data. Never the session.
    public var keepsLocalData: Bool

    /// This session alone, with everything that was kept for its user.
    public init(scope: SignOutScope = .local, keepsLocalData: Bool = false) {
        self.scope = scope
        self.keepsLocalData = keepsLocalData
    }
}
