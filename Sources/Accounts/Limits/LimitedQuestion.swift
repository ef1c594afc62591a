// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A question asked along with whether there is room for the attempt that it is asked for.
struct LimitedQuestion<Question: StoreQuestion>: StoreQuestion {
    struct Answer: Sendable {
        let answer: Question.Answer
        /// When all attempts that were counted will be forgotten; `nil` where there are none.
        let attemptsEnd: Instant?
    }

    let question: Question
    /// The key that attempts are counted by: see ``LedgerLimit``.
    let attempts: [UInt8]
    let directory: DirectoryID

    func answer(in tx: any StoreReading) throws -> Answer {
        let end = try tx.attemptsEnd(attempts, in: directory)
        return Answer(answer: try question.answer(in: tx), attemptsEnd: end)
    }

    func hash(into hasher: inout Hasher) {
        // What is counted follows from what is asked, for most callers.
        hasher.combine(question)
    }
}
