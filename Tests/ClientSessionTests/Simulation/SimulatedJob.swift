// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

/// Something that ends some time, in any order.
struct SimulatedJob {
    enum Work {
        case refresh(SimulatedRefresh)
        case deadline(SimulatedRefresh)
        case guardStore
        case confirm(Int, Result<SessionUser, AuthError>)
        case signIn(AttemptID, String)
        case revoke(TokenSet)
        case stepUp(SimulatedStepUp)
    }

    let process: SimulatedProcess
    let life: Int
    var ready: TimeSpan
    let work: Work

    var needsLock: Bool {
        switch work {
        case .guardStore: true
        case .refresh(let refresh): if case .waiting = refresh.stage { true } else { false }
        default: false
        }
    }
}

extension SimulatedJob {
    /// A refresh that has ended needs no deadline.
    var isOver: Bool {
        if case .deadline(let refresh) = work, case .ended = refresh.stage { return true }
        return false
    }
}

extension SimulatedJob {
    var isGuard: Bool { if case .guardStore = work { true } else { false } }
}
