// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Companions that were slower than anybody waited for are told again, until they have done what they were told to, the
// user is back, or nobody believes any more that they will: the next process tells them then, by what the store says.
extension SessionMachine {
    /// How often a companion is told of one end, in all.
    static let mostTellings = 8

    struct Telling: Sendable {
        var unheard: Unheard
        var retry: Backoff
        /// They are being told.
        var isUnderWay = false
    }

    mutating func respondToCompanions(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        switch event {
        case .unheard(let unheard):
            let former = tellings.first { Subject.isSame($0.unheard.subject, unheard.subject) }
            forgetTelling(of: unheard.subject)
            let retry = (former?.retry).again(after: AuthError(.unavailable), at: moment)
            if retry.failures < Self.mostTellings { tellings.append(Telling(unheard: unheard, retry: retry)) }
            return []
        case .heard(let subject):
            guard isUnheard(subject) else { return [] }
            forgetTelling(of: subject)
            // Where somebody is there, the note went when their session came.
            return tellings.isEmpty && unerased == nil && phase.session == nil ? [.endLeaving] : []
        default: return []
        }
    }

    mutating func tellAgain(_ event: SessionEvent, at moment: Moment) -> [SessionAction] {
        guard case .clockTick = event else { return [] }
        var actions: [SessionAction] = []
        for index in tellings.indices where !tellings[index].isUnderWay && moment.uptime >= tellings[index].retry.next {
            tellings[index].isUnderWay = true
            actions.append(.tellAgain(tellings[index].unheard))
        }
        return actions
    }

    var nextTelling: TimeSpan? { tellings.filter { !$0.isUnderWay }.map(\.retry.next).min() }

    func isUnheard(_ subject: String?) -> Bool { tellings.contains { Subject.isSame($0.unheard.subject, subject) } }

    /// Of whoever is there nothing is cleared any more, nor of nobody knows whom.
    mutating func forgetReturned() {
        guard let present = phase.session?.user.subject else { return }
        tellings.removeAll { $0.unheard.subject == nil || Subject.isSame($0.unheard.subject, present) }
    }

    private mutating func forgetTelling(of subject: String?) {
        tellings.removeAll { Subject.isSame($0.unheard.subject, subject) }
    }
}
