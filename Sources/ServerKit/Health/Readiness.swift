// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Whether the server wants requests.
public final class Readiness: Sendable {
    public enum State: Sendable, Equatable {
        case starting
        case ready
        /// It runs, but not as it should, and says why: other servers should be preferred.
        case degraded(String)
        /// Stopping: requests under way are finished, new ones should go elsewhere.
        case draining
    }

    private let value = Mutex(State.starting)

    public init() {}

    public var state: State { value.withLock { $0 } }

    /// Nothing follows ``State/draining``: a server that stops is not ready again.
    public func become(_ state: State) {
        value.withLock { if $0 != .draining { $0 = state } }
    }
}
