// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreConformance
import AuthTypes
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Objects in a database are looked at when it is checked", .timeLimit(.minutes(10)))
struct JSONColumnTests {
    @Test(
        "Every column that holds objects is known, and whatever a store has come to hold is read again",
        arguments: StoreConformance.cases)
    func known(_ conformance: ConformanceCase) async throws {
        try await withStore { store in
            try await conformance.run(on: store)
            var damaged: [DamagedValue] = []
            _ = try await store.contents { damaged.append($0) }
            #expect(damaged.isEmpty, "\(damaged)")
            let found = try await store.readStatements { transaction in
                try SchemaTable.all.flatMap { table in
                    try table.page(after: nil, limit: 10_000, on: transaction.statements.connection).rows.flatMap {
                        row in
                        zip(table.columns, row).compactMap { column, value -> String? in
                            guard case .text(let text) = value, text.hasPrefix("{"),
                                (try? JSONObject(parsing: text.utf8)) != nil
                            else { return nil }
                            return "\(table.name).\(column.name)"
                        }
                    }
                }
            }
            // What another server's tables were like is kept in its own words.
            let known = JSONColumn.all.map { "\($0.table).\($0.column)" } + ["take_overs.moment"]
            #expect(Set(found).subtracting(known).isEmpty)
        }
    }

    @Test("Each of them is a column of its table that holds texts")
    func columns() {
        for json in JSONColumn.all {
            let table = SchemaTable.all.first { $0.name == json.table }
            #expect(table?.columns.first { $0.name == json.column }?.kind == .text, "\(json)")
        }
    }

    private func spoil(_ store: SQLiteAccountStore, _ sql: String) async throws {
        try await store.queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test("One that is damaged is named with its row, and the others are gone through all the same")
    func damaged() async throws {
        try await withStore { store in
            try await store.addHome()
            try await store.write { tx in
                for id in ["a", "b", "c", "d"] { try tx.insert(Rows.user(id)) }
                try tx.append(Rows.event("e"))
            }
            try await spoil(store, "UPDATE users SET user_metadata = '{' WHERE id = 'b'")
            try await spoil(
                store, "UPDATE users SET app_metadata = 'google', external_identifiers = '[1]' WHERE id = 'c'")
            try await spoil(store, "UPDATE audit_events SET details = ''")
            var damaged: [String] = []
            let contents = try await store.contents { damaged.append("\($0)") }
            #expect(
                damaged == [
                    "users.user_metadata of home, b: no JSON object",
                    "users.external_identifiers of home, c: no JSON object",
                    "audit_events.details of home, \(Rows.now.microseconds), e: no JSON object",
                ])
            #expect(contents.first { $0.table == "users" }?.rows == 4)
        }
    }

    @Test("So is the row with a value of another kind, at which reading ends")
    func anotherKind() async throws {
        try await withStore { store in
            try await store.addHome()
            try await store.write { try $0.insert(Rows.user("a")) }
            try await spoil(store, "UPDATE users SET user_metadata = x'FF00' WHERE id = 'a'")
            let error = await #expect(throws: AuthError(.internalFailure)) { try await store.contents() }
            #expect(error?.reason?.contains("users.user_metadata of home, a") == true, "\(error?.reason ?? "")")
        }
    }
}
