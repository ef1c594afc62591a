// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

// A machine with a fault, made of one without by what it is told.
extension SessionSimulation {
    func sabotaged(_ event: SessionEvent, of process: SimulatedProcess) -> SessionEvent {
        let generation = process.machine.generation
        switch (sabotage, event) {
        case (.ignoresGenerations, .refreshSucceeded(_, let grant)):
            return .refreshSucceeded(generation, SessionGrant(tokens: grant.tokens, user: nil, serverDate: nil))
        case (.ignoresGenerations, .refreshFailed(_, let error)): return .refreshFailed(generation, error)
        case (.takesFaultsForRefusals, .refreshFailed(let begun, let error)) where error.code == .unavailable:
            return .refreshFailed(begun, AuthError(.sessionExpired))
        case (.storesForAnother, .refreshSucceeded(let begun, _)):
            let other = server.signIn("mallory", lifetime: .hours(1))
            return .refreshSucceeded(begun, server.grant(other, withUser: false, date: nil))
        case (.raisesWhoeverIsThere, .sessionReplaced(_, let grant)):
            let present = process.machine.phase.session?.kept.family ?? ""
            return .sessionReplaced(family: present, SessionGrant(tokens: grant.tokens, user: nil, serverDate: nil))
        default: return event
        }
    }
}
