// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a program of the operator's is told once a transaction is durable, before the caller is answered. Whatever it
/// says, what has happened has happened: its no is an error of the call, and undoes nothing but what nobody was given
/// yet.
struct FollowUp: Sendable {
    let moment: HookMoment
    /// Reads whom it is about as they then are; `nil` for who is gone. None where nobody is told of this moment, and
    /// something is to be taken back all the same once somebody says no to another.
    let question: (@Sendable (any StoreReading) throws -> HookQuestion.Matter?)?
    /// Takes back what the caller is not given then.
    let ifRefused: (@Sendable (FlowStep) throws -> Void)?
}

/// What one run of a transaction leaves to be told. What is undone tells nothing: each run has its own.
final class Aftermath: Sendable {
    private let owed = Mutex<[FollowUp]>([])

    var followUps: [FollowUp] { owed.withLock { $0 } }

    func add(_ followUp: FollowUp) { owed.withLock { $0.append(followUp) } }
}

extension AccountPorts {
    /// Tells what a transaction has left to be told, one after the other, until somebody says no.
    ///
    /// - Throws: ``AuthErrorCode/hookRefused``, ``AuthErrorCode/hookFailed``, once all is taken back that the caller is
    ///   not given then.
    func tell(_ followUps: [FollowUp], of call: CallContext) async throws {
        do {
            for followUp in followUps {
                guard let question = followUp.question, let matter = try await store.read(question) else { continue }
                _ = try await hooks.ask(HookQuestion(matter, call: call), random: random).get()
            }
        } catch {
            let takenBack = followUps.compactMap(\.ifRefused)
            if !takenBack.isEmpty { try await write(call) { step in for undo in takenBack { try undo(step) } } }
            throw error
        }
    }
}
