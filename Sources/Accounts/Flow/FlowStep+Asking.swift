// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One call's questions to programs of the operator's, over the runs of its transaction.
struct HookRun: Sendable {
    /// Questions of one call.
    static let most = 8

    /// Of a user whom the call makes: the same in every run, since a program may note whom it was asked about.
    let userID: UserID
    let identifiers: ExternalIdentifiers
    /// By ``HookQuestion/key``.
    var answers: [String: HookDecision] = [:]

    init(_ call: CallContext, random: any RandomSource) throws(AuthError) {
        userID = random.identifier()
        identifiers = try call.newIdentifiers(by: random)
    }
}

/// Undoes a transaction that can't go on before a program of the operator's was asked.
struct PendingQuestion: Error {
    let question: HookQuestion
}

extension FlowStep {
    /// What the operator's programs say to a question: nothing where nobody is asked.
    ///
    /// - Throws: ``PendingQuestion``, which undoes the transaction, until there is an answer.
    func decision(_ matter: HookQuestion.Matter) throws -> HookDecision {
        let question = HookQuestion(matter, call: call)
        guard let run, !ports.hooks.blocking(question.moment, call).isEmpty else { return HookDecision() }
        guard let decision = run.answers[question.key] else { throw PendingQuestion(question: question) }
        return decision
    }

    /// As ``decision(_:)``, where a refusal undoes the transaction too.
    ///
    /// - Throws: ``AuthErrorCode/hookRefused``, ``AuthErrorCode/hookFailed``.
    @discardableResult
    func ask(_ matter: HookQuestion.Matter) throws -> [(dialect: DialectName, changes: HookChanges)] {
        try decision(matter).get()
    }
}
