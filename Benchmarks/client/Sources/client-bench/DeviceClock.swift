// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// The system's clock, ahead by the hours that the device is made to sleep.
final class DeviceClock: ClientClock {
    private let clock = SystemClock()
    private let ahead = Guarded(TimeSpan.zero)

    var now: Instant { clock.now + ahead.value }
    var uptime: TimeSpan { TimeSpan(microseconds: clock.uptime.microseconds + ahead.value.microseconds) }

    func sleep(_ span: TimeSpan) { ahead.withLock { $0 = TimeSpan(microseconds: $0.microseconds + span.microseconds) } }

    func wait(_ span: TimeSpan) async throws(CancellationError) { try await clock.wait(span) }
}
