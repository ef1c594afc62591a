// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Accounts

@Suite("Users whom a store refuses, found among others")
struct ImportRefusalTests {
    /// What a store does that refuses some of the numbers with the commit, and so all that came with them.
    private static func writing(
        _ count: Int, refusing isRefused: (Int) -> Bool
    ) async throws -> (taken: [Bool], transactions: Int, written: Int) {
        var (transactions, written) = (0, 0)
        let taken = try await ImportRefusal.apart(Array(0..<count), refused: { _ in false }) { part in
            transactions += 1
            written += part.count
            guard !part.contains(where: isRefused) else { throw AuthError(.changeRefused) }
            return part.map { _ in true }
        }
        return (taken, transactions, written)
    }

    @Test("R9.12 each is told of in their place, and all others are taken", arguments: [1, 2, 3, 7, 64, 1_000])
    func places(count: Int) async throws {
        for step in [1, 2, 3, 5, 100] {
            let isRefused = { (number: Int) in number % step == step / 2 }
            let (taken, _, _) = try await Self.writing(count, refusing: isRefused)
            #expect(taken == (0..<count).map { !isRefused($0) }, "\(step)")
        }
        #expect(try await Self.writing(0) { _ in true }.transactions == 0)
    }

    @Test("Many who are all refused cost about a transaction each, and one among many costs few")
    func cost() async throws {
        let all = try await Self.writing(1_024) { _ in true }
        #expect(all.transactions == 1_024 + 10 && all.written == 1_024 + 2_046)
        let none = try await Self.writing(1_024) { _ in false }
        #expect(none.transactions == 1)
        let one = try await Self.writing(1_024) { $0 == 700 }
        #expect(one.transactions < 40 && one.written < 4 * 1_024)
        // The worst: every second one.
        let half = try await Self.writing(1_024) { $0.isMultiple(of: 2) }
        #expect(half.transactions <= 2 * 1_024 + 10)
    }

    @Test("What is nobody's fault ends it")
    func fault() async throws {
        await #expect(throws: AuthError(.unavailable)) {
            try await ImportRefusal.apart([1, 2], refused: { _ in false }) { _ in throw AuthError(.unavailable) }
        }
    }
}
