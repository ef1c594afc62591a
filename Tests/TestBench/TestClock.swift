// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A clock that stands still until it is moved.
public final class TestClock: Sendable {
    private let value: Mutex<Instant>

    public init(_ now: Instant) { value = Mutex(now) }

    public var now: Instant { value.withLock { $0 } }

    public func advance(by span: TimeSpan) { value.withLock { $0 = $0 + span } }
}
