// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Time as a device has it. The wall clock may be wrong and may jump; what has passed since the start only grows.
public protocol ClientClock: Sendable {
    /// What the device believes the time to be.
    var now: Instant { get }
    /// Time passed since some fixed moment before, through sleep of the device too. Never goes back while the process
    /// lives; means nothing to another one.
    var uptime: TimeSpan { get }
    /// Waits. A span of zero or less returns at once.
    func wait(_ span: TimeSpan) async throws(CancellationError)
}
