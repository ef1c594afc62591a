// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One transaction of a flow: the call that it serves, the store as it sees it, and what the flow was given. Whatever
/// takes part in the transaction is handed this, so that nobody passes time, identifiers or the audit log on by hand.
///
/// The transaction may be run again, so nothing in it may have an effect outside.
public struct FlowStep {
    public let call: CallContext
    public let tx: any StoreWriting
    let ports: AccountPorts
    let run: HookRun?
    /// What is told once it is durable; `nil` where nobody is asked anything.
    let aftermath: Aftermath?

    /// - Parameter run: what programs of the operator's have said so far; `nil` where none is asked.
    init(
        _ call: CallContext, _ tx: any StoreWriting, _ ports: AccountPorts, _ run: HookRun? = nil,
        _ aftermath: Aftermath? = nil
    ) {
        self.call = call
        self.tx = tx
        self.ports = ports
        self.run = run
        self.aftermath = aftermath
    }

    /// The same transaction, for another call.
    func with(_ call: CallContext) -> FlowStep { FlowStep(call, tx, ports, run, aftermath) }

    var now: Instant { call.now }
    var directory: DirectoryID { call.directory.id }
    var settings: DirectorySettings { call.settings }
    var random: any RandomSource { ports.random }

    /// A user whom this call makes, not yet written.
    ///
    /// - Parameter id: our own identifier, where it was drawn before.
    func newUser(_ id: UserID? = nil) throws -> User {
        User(
            id: id ?? run?.userID ?? random.identifier(), directoryID: directory,
            externalIdentifiers: try run?.identifiers ?? call.newIdentifiers(by: random), createdAt: now)
    }

    /// An identifier that sorts by time: for rows that strangers are not shown (see ``RandomSource/uuid(at:)``).
    func identifier<Tag>() -> Identifier<Tag> { random.identifier(at: now) }
}

extension AccountPorts {
    /// Runs `body` as one transaction of the call, and returns once it is durable: see ``AccountStoring/write(_:)``.
    ///
    /// Where it asks a program of the operator's (``FlowStep/ask(_:)``), what it did is undone, the question is put
    /// outside of every transaction, and it is run again with the answer. What it leaves to be told
    /// (``FlowStep/follow(_:ifRefused:)``) is told once it is durable, and before this returns.
    ///
    /// - Throws: What `body` throws, and in the domain's words a taken address, name or identifier, such as
    ///   ``AuthErrorCode/emailExists``, and a ``MessageExhaustion``.
    public func write<Value: Sendable>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Value
    ) async throws -> Value {
        do {
            return try await transact(call, body)
        } catch let conflict as StoreConflict {
            throw AuthError(taken: conflict)
        }
    }

    /// As ``write(_:_:)``, for what is over soon: see ``AccountStoring/writeBriefly(_:)``.
    public func writeBriefly<Value: Sendable>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Value
    ) async throws -> Value {
        do {
            return try await asking(call) { run in
                let left = try await store.writeBriefly { try self.leaving(call, $0, run, body) }
                return (left.value, left.followUps)
            }
        } catch let conflict as StoreConflict {
            throw AuthError(taken: conflict)
        }
    }

    /// As ``write(_:_:)``, and does `work` meanwhile: see ``AccountStoring/write(_:while:)``.
    func write<Value: Sendable, Made>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Value,
        while work: () async throws -> Made
    ) async throws -> (Value, Made) {
        do {
            return try await asking(call) { run in
                let (left, made) = try await store.write({ try self.leaving(call, $0, run, body) }, while: work)
                return ((left.value, made), left.followUps)
            }
        } catch let conflict as StoreConflict {
            throw AuthError(taken: conflict)
        }
    }

    /// As ``write(_:_:)``, with the store's own words for what is taken.
    func transact<Value: Sendable>(
        _ call: CallContext, _ body: @Sendable @escaping (FlowStep) throws -> Value
    ) async throws -> Value {
        try await asking(call) { run in
            let left = try await store.write { try self.leaving(call, $0, run, body) }
            return (left.value, left.followUps)
        }
    }

    /// One run of a transaction, and what it leaves to be told.
    private func leaving<Value>(
        _ call: CallContext, _ tx: any StoreWriting, _ run: HookRun?, _ body: (FlowStep) throws -> Value
    ) throws -> (value: Value, followUps: [FollowUp]) {
        guard let run else { return (try body(FlowStep(call, tx, self)), []) }
        let aftermath = Aftermath()
        return (try body(FlowStep(call, tx, self, run, aftermath)), aftermath.followUps)
    }

    /// Runs `work` until everything that it asks is answered, and tells what it leaves.
    private func asking<Value>(
        _ call: CallContext, _ work: (HookRun?) async throws -> (Value, [FollowUp])
    ) async throws -> Value {
        do {
            return try await answered(call, work)
        } catch let exhaustion as MessageExhaustion {
            // Here and not where it is thrown: a transaction may run more than once, and a refusal is told to whoever
            // watches.
            throw limits.refusal(exhaustion, call: call)
        }
    }

    private func answered<Value>(
        _ call: CallContext, _ work: (HookRun?) async throws -> (Value, [FollowUp])
    ) async throws -> Value {
        guard hooks.asks(in: call.directory) else { return try await work(nil).0 }
        var run = try HookRun(call, random: random)
        while true {
            do {
                let (value, followUps) = try await work(run)
                try await tell(followUps, of: call)
                return value
            } catch let pending as PendingQuestion {
                // Each is asked once; more than there are come of a store that changes under it without end.
                guard run.answers.count < HookRun.most else {
                    throw AuthError(.conflict, reason: "what was asked about has changed meanwhile")
                }
                run.answers[pending.question.key] = try await hooks.ask(pending.question, random: random)
            }
        }
    }
}
