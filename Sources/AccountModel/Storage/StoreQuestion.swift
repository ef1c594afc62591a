// SPDX-License-Identifier: Apache-2.0

/// What a store is asked with each call of somebody's, and answers alike until something is written: whose session a
/// token names, and whether a client may still try to prove itself.
///
/// The answer follows from the question and from what the store holds when it is asked, and from nothing else. Above
/// all not from the time: whether a session has ended by now, or a limit has room again, is judged of the answer.
public protocol StoreQuestion: Hashable, Sendable {
    associatedtype Answer: Sendable

    /// Asks on a consistent snapshot.
    func answer(in tx: any StoreReading) throws -> Answer
}

extension AccountStoring {
    public func answer<Question: StoreQuestion>(_ question: Question) async throws -> Question.Answer {
        try await read { try question.answer(in: $0) }
    }
}
