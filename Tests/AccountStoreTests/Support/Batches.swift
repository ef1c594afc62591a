// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Foundation

@testable import AccountStore
@testable import AccountStoreSQLite

extension SQLiteAccountStore {
    /// Submits `count` writes while the writer is at work on another, so that all of them wait for it together and are
    /// its next batch. The other one is a commit of its own.
    func writeTogether<Value: Sendable>(
        _ count: Int, _ body: @Sendable @escaping (Int, any StoreWriting) throws -> Value
    ) async throws -> [Result<Value, any Error>] {
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let writer = writer
        let gate = Task {
            try await self.write { _ in
                start.finish()
                while writer.waitingCount < count { sched_yield() }
            }
        }
        for await _ in started {}
        let results = await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            for index in 0..<count {
                group.addTask {
                    do {
                        return (index, .success(try await self.write { try body(index, $0) }))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<Value, any Error>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
        try await gate.value
        return results
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { return true }
        return false
    }

    var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
