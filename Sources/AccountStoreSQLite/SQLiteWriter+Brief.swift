// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import Dispatch

/// Writes that are over soon, by their callers.
extension SQLiteWriter {
    /// Runs a write that is over soon on the thread that asks, when nobody else writes or waits and the disk is quick: to wake the
    /// writer's thread, and to be woken by it, costs as much as the write. So it is with one that has waited for such a one, and for
    /// nobody else. Others are done by the writer's thread. It returns once it is durable.
    ///
    /// - Returns: `nil` where it is to be submitted instead.
    /// - Throws: as what is submitted fails.
    func runBriefly<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value? {
        if beginBriefly({ $0.beginBrief() }) { return try runHere(body) }
        let pending = PendingWrite<Value?>()
        submit(
            Job(
                run: { transaction in
                    let value = try body(transaction)
                    return { pending.settle(.success(value)) }
                }, fail: { pending.settle(.failure($0)) }, handOver: { pending.settle(.success(nil)) }))
        if let value = try await pending.value() { return value }
        return beginBriefly({ $0.inherit() }) ? try runHere(body) : nil
    }

    private func beginBriefly(_ begin: (inout GroupCommit<Job>) -> Bool) -> Bool {
        batches.withLock { batches in
            let isAdmitted = begin(&batches)
            // Before anybody can close, who waits for it.
            if isAdmitted { briefs.enter() }
            return isAdmitted
        }
    }

    /// A brief write on the thread that asks, whose turn it is.
    private func runHere<Value>(_ body: (OpenTransaction) throws -> Value) throws -> Value {
        let start = clock.now
        defer {
            let wasQuick = clock.now - start <= Self.quick
            switch batches.withLock({ $0.finishBrief(wasQuick: wasQuick) }) {
            case .nobody: break
            case .start: thread.async { self.commitBatches() }
            case .handOver(let job): job.handOver?()
            }
            briefs.leave()
        }
        do {
            return try commitHere(body)
        } catch {
            throw SQLiteFailure.domainError(error)
        }
    }
}
