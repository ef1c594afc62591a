// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What keeps one user of an import out and is no fault of the others', and how that one is found among them.
enum ImportRefusal {
    /// What is wrong with a user alone, an app's own triggers that don't let them in among it.
    static let codes: Set<AuthErrorCode> = [
        .metadataTooLarge, .invalidRequest, .tooManyFactors, .factorExists, .factorNameExists, .changeRefused,
    ]

    /// `nil` for what is no user's fault.
    static func of(_ error: any Error) -> AuthError? {
        switch error {
        case let conflict as StoreConflict: AuthError(taken: conflict)
        case let error as AuthError where codes.contains(error.code): error
        default: nil
        }
    }

    /// Writes all of them, in one transaction where the store takes it. One that it refuses, also with its commit, does
    /// not say for whom: then half as many go at once, and twice as many again after each that was taken. So many users
    /// who are all refused cost hardly more than a transaction each, and one among many costs few.
    ///
    /// - Parameters:
    ///   - refused: what becomes of one whom the store refuses alone.
    ///   - write: one transaction; an outcome for each.
    /// - Returns: an outcome for each, in their order.
    /// - Throws: what `write` throws and is no user's fault; what was written by then stays.
    static func apart<Item, Outcome>(
        _ items: [Item], refused: (AuthError) -> Outcome, write: ([Item]) async throws -> [Outcome]
    ) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        var most = items.count
        while outcomes.count < items.count {
            try Task.checkCancellation()
            let part = Array(items[outcomes.count...].prefix(most))
            do {
                outcomes += try await write(part)
                most = 2 * part.count
            } catch {
                guard let refusal = of(error) else { throw error }
                if part.count == 1 { outcomes.append(refused(refusal)) }
                most = max(1, part.count / 2)
            }
        }
        return outcomes
    }
}
