// SPDX-License-Identifier: Apache-2.0

/// How a sign-out is done.
public struct SignOutOptions: Sendable, Hashable {
    public var scope: SignOutScope
    /// Keeps what the app itself stored on the device (G-13.6): its queue of changes, its own data. Never the session.
    public var keepsLocalData: Bool

    public init(scope: SignOutScope = .local, keepsLocalData: Bool = false) {
        self.scope = scope
        self.keepsLocalData = keepsLocalData
    }
}
