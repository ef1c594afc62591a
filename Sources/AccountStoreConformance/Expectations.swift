// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

func expect(
    _ condition: Bool, _ what: String, file: StaticString = #fileID, line: UInt = #line
) throws(ConformanceFailure) {
    guard condition else { throw ConformanceFailure(description: "\(file):\(line): \(what)") }
}

func expectEqual<Value: Equatable>(
    _ found: Value, _ wanted: Value, _ what: String, file: StaticString = #fileID, line: UInt = #line
) throws(ConformanceFailure) {
    try expect(found == wanted, "\(what): found \(found), wanted \(wanted)", file: file, line: line)
}

/// Compares every stored property, down to the last, by what a debugger would print: a property added to the model
/// later is compared without a change here. Secrets do not print; compare those by themselves.
func expectSame<Value>(
    _ found: Value?, _ wanted: Value, _ what: String, file: StaticString = #fileID, line: UInt = #line
) throws(ConformanceFailure) {
    guard let found else {
        throw ConformanceFailure(description: "\(file):\(line): \(what): found nothing, wanted \(wanted)")
    }
    try expectEqual(String(reflecting: found), String(reflecting: wanted), what, file: file, line: line)
}

func expectConflict(
    _ wanted: StoreConflict, _ what: String, file: StaticString = #fileID, line: UInt = #line,
    _ work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch let conflict as StoreConflict {
        return try expectEqual(conflict, wanted, what, file: file, line: line)
    }
    throw ConformanceFailure(description: "\(file):\(line): \(what): nothing was thrown, wanted \(wanted)")
}

/// What a stale version is called is the store's own affair.
func expectStale(
    _ what: String, file: StaticString = #fileID, line: UInt = #line, _ work: () async throws -> Void
) async throws {
    do {
        try await work()
    } catch StoreConflict.stale {
        return
    }
    throw ConformanceFailure(description: "\(file):\(line): \(what): nothing was thrown, wanted a stale conflict")
}

/// Runs `work` at once in `count` tasks, and says what each returned.
func race<Value: Sendable>(
    _ count: Int, _ work: @Sendable @escaping (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count { group.addTask { try await work(index) } }
        var values: [Value] = []
        for try await value in group { values.append(value) }
        return values
    }
}
