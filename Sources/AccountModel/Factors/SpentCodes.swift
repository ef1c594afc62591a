// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What was shown of an authenticator app and is good no more (RFC 6238, section 5.2): the time steps of its codes, for
/// as long as they would be taken otherwise, and what they were the answers to.
///
/// Both are kept with the factor: whoever shows a code writes one row.
public struct SpentCodes: Sendable, Hashable {
    /// An answer to a challenge.
    public struct Answer: Sendable, Hashable {
        public var challenge: FactorChallengeID
        /// When nobody can answer it any more.
        public var end: Instant

        public init(to challenge: FactorChallengeID, until end: Instant) {
            self.challenge = challenge
            self.end = end
        }
    }

    /// More than are taken at any time: others lie ahead of a clock that was set back.
    static let most = 64

    /// In the order in which they were shown.
    public private(set) var steps: [Int64]
    public private(set) var answers: [Answer]

    public init(_ steps: [Int64] = [], answers: [Answer] = []) {
        self.steps = steps
        self.answers = answers
    }

    public func contains(_ step: Int64) -> Bool { steps.contains(step) }

    public func contains(_ challenge: FactorChallengeID) -> Bool { answers.contains { $0.challenge == challenge } }

    /// With one more.
    ///
    /// - Parameters:
    ///   - answer: `nil` where nothing was asked.
    ///   - isOver: whether no code of the step is taken any more.
    public func adding(
        _ step: Int64, _ answer: Answer?, at now: Instant, forgetting isOver: (Int64) -> Bool
    ) -> SpentCodes {
        let left = answers.filter { now < $0.end } + (answer.map { [$0] } ?? [])
        return SpentCodes(
            (steps.filter { !isOver($0) } + [step]).suffix(Self.most), answers: left.suffix(Self.most))
    }
}
