// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// What one connection has found out about the database as it stands, which one thread at a time uses.
///
/// The connections that read never write, so whatever changes the database is a commit of another's, in this process or
/// in another, and SQLite says so with the next snapshot. Then all of it is forgotten: what it stood on is not known.
struct RememberedAnswers {
    /// Keeps an answer that is `nil` from looking like none.
    private struct Known<Answer: Sendable>: Sendable {
        var answer: Answer
    }

    /// Beyond it all are found anew: what is asked about is the callers' choice.
    private static let capacity = 1024

    private var version: Int64?
    private var answers: [AnyHashable: any Sendable] = [:]

    /// - Parameter version: of the database, as ``SQLiteConnection/dataVersion()`` has it in the transaction that asks.
    mutating func forget(unlessOf version: Int64) {
        guard self.version != version else { return }
        self.version = version
        answers.removeAll(keepingCapacity: true)
    }

    func answer<Question: StoreQuestion>(to question: Question) -> Question.Answer? {
        (answers[AnyHashable(question)] as? Known<Question.Answer>)?.answer
    }

    mutating func remember<Question: StoreQuestion>(_ answer: Question.Answer, to question: Question) {
        if answers.count >= Self.capacity { answers.removeAll(keepingCapacity: true) }
        answers[AnyHashable(question)] = Known(answer: answer)
    }
}
