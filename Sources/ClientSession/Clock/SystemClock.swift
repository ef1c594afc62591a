// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// The device's clock, and the only place of the library that reads one.
public struct SystemClock: ClientClock {
    /// One for the whole process, so that what one clock measured means the same to another.
    private static let start = ContinuousClock.now

    /// The device's clock: it has no state of its own.
    public init() {}

    public var now: Instant { Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    public var uptime: TimeSpan { TimeSpan(Self.start.duration(to: .now)) }

    public func wait(_ span: TimeSpan) async throws(CancellationError) {
        guard span > .zero else { return }
        do { try await Task.sleep(for: .microseconds(span.microseconds)) } catch { throw CancellationError() }
    }
}

extension TimeSpan {
    /// Whole microseconds, rounded towards zero; saturating.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (sum, overflow) = TimeSpan.seconds(seconds).microseconds
            .addingReportingOverflow(attoseconds / 1_000_000_000_000)
        self.init(microseconds: overflow ? (seconds < 0 ? .min : .max) : sum)
    }
}
