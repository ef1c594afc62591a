// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The device's count of sign-ins that failed, kept over the sign-in screens of an app's run (``FailureCount``).
@MainActor
public final class SignInFailures {
    private var count = FailureCount()
    private let clock: any ClientClock

    /// Counts by that clock's `ClientClock.uptime`, which nobody sets.
    public init(clock: any ClientClock) {
        self.clock = clock
    }

    /// - Returns: how long the identifier is locked, as far as this device knows.
    func failed(_ identifier: String, _ error: AuthError) -> TimeSpan? {
        guard error.code == .invalidCredentials else { return nil }
        count.failed(identifier, at: clock.uptime)
        return count.remainingLock(of: identifier, at: clock.uptime)
    }

    func succeeded(_ identifier: String) { count.succeeded(identifier) }
}
