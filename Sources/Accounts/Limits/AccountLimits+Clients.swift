// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension AccountLimits {
    /// Runs `body` as an attempt at what a client shows to prove itself.
    ///
    /// One caller is stopped at one client, and nobody else with it: a stranger must not be able to keep an app from
    /// its users. What all callers together guess at is a secret of 256 bits.
    ///
    /// - Parameters:
    ///   - question: what `body` is told the answer to, asked along with whether there is room.
    /// - Throws: ``AuthErrorCode/rateLimited`` with the time to wait; what `body` throws.
    func guessing<Question: StoreQuestion, Value>(
        at client: ClientID, call: CallContext, store: any AccountStoring, asking question: Question,
        _ body: (Question.Answer) async throws -> Value
    ) async throws -> Value {
        guard let origin = call.origin else { return try await body(try await store.answer(question)) }
        let name = "client secret"
        let key = keys.key(of: client, from: origin, call) {
            LedgerLimit.key(name, origin + " " + client.rawValue, call)
        }
        let limit = LedgerLimit(name, call.settings.limits.signInPerIdentifier, key: key, call)
        // What is under way weighs nothing: an app's own server asks for a hundred tokens at once.
        let known = try await store.answer(
            LimitedQuestion(question: question, attempts: key, directory: call.directory.id))
        if let full = limit.exhaustion(of: known.attemptsEnd) { throw refusal(full, call: call, else: .rateLimited) }
        do {
            return try await body(known.answer)
        } catch let error as AuthError where error.code == .clientSecretInvalid {
            if try await !store.write({ try limit.take(in: $0) }) {
                throw refusal(limit.full, call: call, else: .rateLimited)
            }
            throw error
        }
    }
}
