// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When wrong passwords lock, and for how long.
public struct LockoutRule: Sendable, Hashable {
    public var attempts: Int
    public var window: TimeSpan
    public var duration: TimeSpan

    public init(attempts: Int, window: TimeSpan, duration: TimeSpan) {
        self.attempts = max(1, attempts)
        self.window = window
        self.duration = duration
    }

    /// `nil` where the Directory locks nothing.
    public init?(_ settings: DirectorySettings.LockoutSettings) {
        guard settings.attempts > 0 else { return nil }
        self.init(
            attempts: settings.attempts, window: .seconds(settings.window), duration: .seconds(settings.duration))
    }
}
