// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether the server wants requests.
public final class Readiness: Sendable {
    public enum State: Sendable, Equatable {
        case starting
        case ready
        /// Stopping: requests under way are finished, new ones should go elsewhere.
        case draining
    }

    private let value = Mutex(State.starting)

    public init() {}

    public var state: State { value.withLock { $0 } }
    public func become(_ state: State) { value.withLock { $0 = state } }
}
