// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// The system's clock, ahead by the hours that the device is made to sleep.
final class DeviceClock: ClientClock {
    private let clock = SystemClock()
    private let ahead = Guarded(Span.zero)

    var now: Instant { clock.now + ahead.value }
    var uptime: Span { Span(microseconds: clock.uptime.microseconds + ahead.value.microseconds) }

    func sleep(_ span: Span) { ahead.withLock { $0 = Span(microseconds: $0.microseconds + span.microseconds) } }

    func wait(_ span: Span) async throws(CancellationError) { try await clock.wait(span) }
}
