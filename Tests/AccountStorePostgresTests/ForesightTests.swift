// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import Testing

@testable import AccountStorePostgres

@Suite("Statements that are sent before their time", .postgres, .timeLimit(.minutes(5)))
struct ForesightTests {
    /// A connection with three tables that lead from one to the next, and how often it waits.
    private final class Bench {
        let connection: PostgresConnection
        let paths = StatementPaths()
        var runs = 0

        init(_ name: String) throws {
            let address = try #require(PostgresServer.current).address()
            try PostgresConnection(address, schema: "public").commands(["CREATE SCHEMA foresight_\(name)"])
            connection = try PostgresConnection(address, schema: "foresight_\(name)")
            try connection.commands([
                "CREATE TABLE sessions (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, generation BIGINT NOT NULL)",
                "CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, visits BIGINT NOT NULL)",
                "CREATE TABLE factors (id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users (id))",
                "CREATE TABLE notes (user_id TEXT PRIMARY KEY)",
            ])
            for number in 1...9 {
                try connection.commands([
                    "INSERT INTO users VALUES ('user-number-\(number)', 'mail-\(number)@example.com', 0)",
                    "INSERT INTO sessions VALUES ('session-number-\(number)', 'user-number-\(number)', 1)",
                    "INSERT INTO factors VALUES ('factor-number-\(number)', 'user-number-\(number)')",
                    "INSERT INTO notes VALUES ('user-number-\(number)')",
                ])
            }
        }

        /// As a worker runs it: again without guesses where one was wrong. How often the server was waited for, and
        /// what came.
        func run<Value>(
            _ isolation: PostgresConnection.Isolation, about values: ForeseenValues? = nil,
            _ body: (PostgresConnection) throws -> Value
        ) throws -> (Value, trips: Int) {
            let before = connection.roundTrips
            var isPlain = false
            for _ in 1...3 {
                runs += 1
                connection.begin(isolation, with: Foresight(paths, isPlain: isPlain, about: values))
                let result = Result { try body(connection) }
                if case .failure = result { connection.check() }
                if let failure = connection.failure, failure.isWrongGuess {
                    isPlain = !failure.isNotWhole
                    connection.rollBack()
                    continue
                }
                let value: Value
                do {
                    value = try result.get()
                } catch {
                    connection.rollBack()
                    throw error
                }
                guard isolation == .serializable else {
                    let trips = connection.roundTrips - before
                    connection.rollBack()
                    return (value, trips)
                }
                do {
                    try connection.commit()
                } catch let failure as PostgresFailure where failure.isWrongGuess {
                    isPlain = true
                    continue
                }
                return (value, connection.roundTrips - before)
            }
            throw PostgresFailure.wrongGuess
        }

        func factors(of session: Int) throws -> ([String], trips: Int) {
            try run(.snapshot) { connection in
                let users = try connection.query(
                    "SELECT id, user_id FROM sessions WHERE id = ?", [.text("session-number-\(session)")]
                ) { try $0.text(1) }
                guard let user = users.first else { return [] }
                let found = try connection.query("SELECT id FROM users WHERE id = ?", [.text(user)]) { try $0.text(0) }
                return try connection.query("SELECT id FROM factors WHERE user_id = ?", [.text(found.first ?? "")]) {
                    try $0.text(0)
                }
            }
        }

        /// What is asked by in nobody's place is known before.
        func factors(by email: String) throws -> ([String], trips: Int) {
            try run(.snapshot, about: ForeseenValues(texts: ["stands-for-nobody"])) { connection in
                let users = try connection.query("SELECT id FROM users WHERE email = ?", [.text(email)]) {
                    try $0.text(0)
                }
                let user = users.first ?? "stands-for-nobody"
                return try connection.query("SELECT id FROM factors WHERE user_id = ?", [.text(user)]) {
                    try $0.text(0)
                }
            }
        }

        func visit(_ user: Int) throws -> (Int64, trips: Int) {
            try run(.serializable) { connection in
                let id = SQLValue.text("user-number-\(user)")
                let read = "SELECT visits FROM users WHERE id = ?"
                let before = try connection.query(read, [id]) { try $0.integer(0) }.first ?? 0
                let changed = try connection.execute(
                    "UPDATE users SET visits = ? WHERE id = ? AND visits = ?",
                    [.integer(before + 1), id, .integer(before)])
                guard changed == 1 else { throw StoreConflict.stale("user") }
                return before + 1
            }
        }
    }

    @Test("What leads from one to the next is asked in one round trip, for whomever, once it is known to")
    func chain() throws {
        let bench = try Bench("chain")
        #expect(try bench.factors(of: 1).trips == 3)
        _ = try (1...3).map { try bench.factors(of: $0) }
        for number in 4...9 {
            let (factors, trips) = try bench.factors(of: number)
            #expect(factors == ["factor-number-\(number)"] && trips == 1)
        }
        // Nobody's session leads nowhere, and is no reason to run anything twice.
        #expect(try bench.factors(of: 10) == ([], 1))
        #expect(bench.runs == 11)
    }

    @Test(
        "Whom nobody is called like costs as many round trips as who is there, where what is asked by is another thing")
    func nobody() throws {
        let bench = try Bench("nobody")
        for number in 1...3 {
            _ = try bench.factors(by: "mail-\(number)@example.com")
            _ = try bench.factors(by: "none-\(number)@example.com")
        }
        for number in 4...9 {
            #expect(try bench.factors(by: "mail-\(number)@example.com") == (["factor-number-\(number)"], 1))
            #expect(try bench.factors(by: "none-\(number)@example.com") == ([], 1))
        }
        #expect(bench.runs == 18)
    }

    @Test("Of many who are there and then many who are not, the first who is not costs more, and no other")
    func firstNobody() throws {
        let bench = try Bench("first")
        for number in 1...9 { _ = try bench.factors(by: "mail-\(number)@example.com") }
        #expect(try bench.factors(by: "none-0@example.com").trips > 1 && bench.runs == 11)
        for number in 1...9 {
            #expect(try bench.factors(by: "none-\(number)@example.com") == ([], 1))
            #expect(try bench.factors(by: "mail-\(number)@example.com") == (["factor-number-\(number)"], 1))
        }
        #expect(bench.runs == 29)
    }

    @Test("What begins alike and is a look or a change, or is for another thing, goes on in its own way")
    func alike() throws {
        let bench = try Bench("alike")
        let read = "SELECT visits FROM users WHERE id = ?"
        for number in 1...9 {
            let id = SQLValue.text("user-number-\(number)")
            _ = try bench.run(.snapshot) { try $0.query(read, [id]) { try $0.integer(0) } }
            _ = try bench.run(.serializable, about: ForeseenValues(for: "another thing")) {
                try $0.query(read, [id]) { try $0.integer(0) }
            }
            let (factors, trips) = try bench.run(.serializable) { connection in
                _ = try connection.query(read, [id]) { try $0.integer(0) }
                let factors = try connection.query("SELECT id FROM factors WHERE user_id = ?", [id]) { try $0.text(0) }
                _ = try connection.execute("UPDATE users SET visits = 1 WHERE id = ?", [id])
                return factors
            }
            #expect(factors == ["factor-number-\(number)"] && (number < 3 || trips == 2), "\(number): \(trips)")
        }
    }

    @Test("What is asked by most is asked ahead still after some that did not ask it")
    func seldomAsked() throws {
        let bench = try Bench("seldom")
        func look(_ number: Int, isShort: Bool) throws -> Int {
            try bench.run(.snapshot) { connection in
                let id = SQLValue.text("user-number-\(number)")
                _ = try connection.query("SELECT email FROM users WHERE id = ?", [id]) { try $0.text(0) }
                guard !isShort else { return }
                _ = try connection.query("SELECT id FROM factors WHERE user_id = ?", [id]) { try $0.text(0) }
            }.trips
        }
        for number in 1...4 { _ = try look(number, isShort: false) }
        for number in 1...30 { _ = try look(number % 9 + 1, isShort: true) }
        #expect(try look(5, isShort: false) == 1)
    }

    @Test("What a transaction asks twice is answered once, and what it has changed between the two is asked again")
    func askedTwice() throws {
        let bench = try Bench("twice")
        let (id, read) = (SQLValue.text("user-number-1"), "SELECT visits FROM users WHERE id = ?")
        let (seen, trips) = try bench.run(.serializable) { connection in
            let seen = try (1...3).flatMap { _ in try connection.query(read, [id]) { try $0.integer(0) } }
            _ = try connection.execute("UPDATE users SET visits = 5 WHERE id = ?", [id])
            return try seen + (1...2).flatMap { _ in try connection.query(read, [id]) { try $0.integer(0) } }
        }
        #expect(seen == [0, 0, 0, 5, 5] && trips == 4)
    }

    @Test("A deleted row that no other refers to takes no answers along")
    func deletion() throws {
        let bench = try Bench("deletion")
        for number in 1...9 {
            let (factors, trips) = try bench.run(.serializable) { connection in
                let id = SQLValue.text("user-number-\(number)")
                _ = try connection.query("SELECT email FROM users WHERE id = ?", [id]) { try $0.text(0) }
                _ = try connection.execute("DELETE FROM notes WHERE user_id = ?", [id])
                return try connection.query("SELECT id FROM factors WHERE user_id = ?", [id]) { try $0.text(0) }
            }
            #expect(factors == ["factor-number-\(number)"] && (number < 3 || trips == 2), "\(number): \(trips)")
        }
    }

    @Test("A change goes with the end of its transaction: two round trips for a look and a change")
    func change() throws {
        let bench = try Bench("change")
        #expect(try bench.visit(1) == (1, 3))
        #expect(try bench.visit(1) == (2, 2) && bench.visit(2) == (1, 2))
        #expect(bench.runs == 3)
    }

    @Test("A change that finds nothing to change is told of, and nothing of its transaction is kept")
    func staleChange() throws {
        let bench = try Bench("stale")
        _ = try bench.visit(1)
        #expect(throws: StoreConflict.stale("user")) {
            try bench.run(.serializable) { connection in
                _ = try connection.execute(
                    "INSERT INTO factors (id, user_id) VALUES (?, ?)", [.text("more"), .text("user-number-1")])
                let changed = try connection.execute(
                    "UPDATE users SET visits = ? WHERE id = ? AND visits = ?",
                    [.integer(9), .text("user-number-1"), .integer(7)])
                guard changed == 1 else { throw StoreConflict.stale("user") }
            }
        }
        let left = try bench.run(.snapshot) { try $0.query("SELECT count(*) FROM factors", []) { try $0.integer(0) } }
        #expect(left.0 == [9])
        #expect(try bench.visit(1).0 == 2)
    }

    @Test("A row that is there already is refused where it is written, and its transaction goes on")
    func duplicate() throws {
        let bench = try Bench("duplicate")
        for _ in 1...3 {
            let (wasThere, _) = try bench.run(.serializable) { connection in
                var wasThere = false
                do {
                    _ = try connection.execute(
                        "INSERT INTO users (id, email, visits) VALUES (?, ?, ?)",
                        [.text("another"), .text("mail-1@example.com"), .integer(0)])
                } catch is StoreConflict {
                    wasThere = true
                }
                _ = try connection.execute(
                    "UPDATE users SET visits = visits + 1 WHERE id = ?", [.text("user-number-2")])
                return wasThere
            }
            #expect(wasThere)
        }
        let visits = try bench.run(.snapshot) {
            try $0.query("SELECT visits FROM users WHERE id = ?", [.text("user-number-2")]) { try $0.integer(0) }
        }
        #expect(visits.0 == [3])
    }

    @Test("What a transaction has changed it reads changed, also where the answer had come before")
    func ownChanges() throws {
        let bench = try Bench("own")
        for number in 1...5 {
            let (seen, _) = try bench.run(.serializable) { connection in
                let id = SQLValue.text("user-number-\(number)")
                let read = "SELECT visits FROM users WHERE id = ?"
                _ = try connection.query("SELECT id FROM users WHERE id = ?", [id]) { try $0.text(0) }
                let before = try connection.query(read, [id]) { try $0.integer(0) }
                _ = try connection.execute("UPDATE users SET visits = ? WHERE id = ?", [.integer(7), id])
                return try before + connection.query(read, [id]) { try $0.integer(0) }
            }
            #expect(seen == [0, 7])
        }
    }

    @Test("What a statement with an answer has changed is read changed, also where that had been asked ahead")
    func returning() throws {
        let bench = try Bench("returning")
        for number in 1...9 {
            let (seen, _) = try bench.run(.serializable) { connection in
                let id = SQLValue.text("user-number-\(number)")
                _ = try connection.query("SELECT id FROM users WHERE id = ?", [id]) { try $0.text(0) }
                let changed = try connection.query(
                    "UPDATE users SET visits = visits + 7 WHERE id = ? RETURNING visits", [id]
                ) { try $0.integer(0) }
                let read = "SELECT visits FROM users WHERE id = ?"
                return try changed + connection.query(read, [id]) { try $0.integer(0) }
            }
            #expect(seen == [7, 7], "\(number)")
        }
    }

    @Test("A failure of the body after what was put off stands, and undoes it")
    func bodyFails() throws {
        struct Refusal: Error {}
        let bench = try Bench("body")
        _ = try bench.visit(1)
        for _ in 1...2 {
            #expect(throws: Refusal.self) {
                try bench.run(.serializable) { connection in
                    _ = try connection.execute(
                        "UPDATE users SET visits = ? WHERE id = ? AND visits = ?",
                        [.integer(2), .text("user-number-1"), .integer(1)])
                    throw Refusal()
                }
            }
        }
        #expect(try bench.visit(1).0 == 2)
    }

    @Test("Questions without a transaction's beginning see one state of the database")
    func oneState() throws {
        let bench = try Bench("state")
        let other = try PostgresConnection(try #require(PostgresServer.current).address(), schema: "foresight_state")
        for round in 1...12 {
            let (seen, _) = try bench.run(.snapshot) { connection in
                let first = try connection.query("SELECT visits FROM users WHERE id = ?", [.text("user-number-1")]) {
                    try $0.integer(0)
                }
                try other.commands(["UPDATE users SET visits = visits + 1"])
                let second = try connection.query("SELECT visits FROM users WHERE id = ?", [.text("user-number-2")]) {
                    try $0.integer(0)
                }
                return first + second
            }
            #expect(seen[0] == seen[1], "round \(round): \(seen)")
        }
    }
}
