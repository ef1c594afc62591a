// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// The system's clock. Made where a program is put together, and nowhere else: everything below is told the time.
public struct SystemClock: Sendable {
    public init() {}

    public func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
