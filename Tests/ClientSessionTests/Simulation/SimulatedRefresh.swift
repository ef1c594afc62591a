// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

/// A refresh on its way through the store's lock.
final class SimulatedRefresh {
    enum Stage {
        case waiting
        case asked(Result<SessionGrant, AuthError>)
        case ended
    }

    let id: Int
    let begun: Refresh
    let deadline: TimeSpan
    var stage = Stage.waiting
    var isCancelled = false

    init(_ id: Int, _ begun: Refresh, deadline: TimeSpan) {
        self.id = id
        self.begun = begun
        self.deadline = deadline
    }
}

extension SimulatedRefresh {
    var hasEnded: Bool { if case .ended = stage { true } else { false } }
    var isAsking: Bool { if case .asked = stage { true } else { false } }
}
