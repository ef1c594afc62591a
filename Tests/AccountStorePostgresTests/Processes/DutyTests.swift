// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestSupport
import Testing

@testable import AccountStore
@testable import AccountStorePostgres

/// What one of several servers does at a time (ADR 0079). A lock that its server has not dropped yet is asked for
/// again, without a time to wait.
@Suite("Duties of several servers", .postgres, .timeLimit(.minutes(5)))
struct DutyTests {
    /// Asks until the duty is this server's: the database drops the locks of a connection a moment after its end.
    private func comes(_ duty: StoreDuty, to duties: any StoreDuties) async throws {
        try await eventually("the duty is the other server's") { await duties.isOurs(duty) }
    }

    @Test("R9.8 of servers that ask at once one has a duty, as long as its connection is there")
    func one() async throws {
        try await PostgresServer.withStores(4) { stores in
            let duties = stores.map { $0.duties() }
            let answers = await withTaskGroup(of: (Int, Bool).self) { group in
                for index in 0..<20 {
                    group.addTask { (index % 4, await duties[index % 4].isOurs(.upkeep)) }
                }
                return await group.reduce(into: [(Int, Bool)]()) { $0.append($1) }
            }
            let holders = Set(answers.filter(\.1).map(\.0))
            #expect(holders.count == 1)
            #expect(answers.count { $0.1 } == 5, "each time that it asks")
            // Another duty, and that of another schema, is for itself.
            let other = try #require((0..<4).first { !holders.contains($0) })
            #expect(await duties[other].isOurs(.grantChecks))
            try await PostgresServer.withStores(1) { others in
                let duties = others[0].duties()
                #expect(await duties.isOurs(.upkeep))
                duties.release()
            }
            for duties in duties { duties.release() }
        }
    }

    @Test("R9.8 a server whose connection is ended is taken over from, and does not believe that it has the duty still")
    func takenOver() async throws {
        try await PostgresServer.withStores(2) { stores in
            let (one, other) = (stores[0].duties(), stores[1].duties())
            #expect(await one.isOurs(.upkeep))
            #expect(await !other.isOurs(.upkeep))
            // The server that waits has a connection of its own by the same name: it is opened again.
            try await stores[0].end("\(stores[0].schema) duties")
            try await comes(.upkeep, to: other)
            #expect(await !one.isOurs(.upkeep))
            #expect(await other.isOurs(.upkeep))
            other.release()
            try await comes(.upkeep, to: one)
            one.release()
        }
    }

    @Test("R9.8 where the database can't be reached nothing is this server's")
    func away() async {
        let duties = PostgresDuties(schema: "none") { throw AuthError(.unavailable) }
        #expect(await !duties.isOurs(.upkeep))
        #expect(await SoleDuties().isOurs(.upkeep))
    }

    @Test("R9.8 each lock has a number of its own, in each schema")
    func numbers() {
        let locks = [PostgresLock.migration] + StoreDuty.allCases.map { .duty($0) }
        let numbers = ["latchkey", "latchkey_2"].flatMap { schema in locks.map { $0.number(in: schema) } }
        #expect(Set(numbers).count == numbers.count)
        // The same in every version, or two would not see each other.
        #expect(PostgresLock.migration.number(in: "latchkey") == -8_341_650_825_600_461_199)
    }
}
