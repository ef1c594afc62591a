// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AccountStoreConformance
import AccountStoreSQLite
import AuthTypes
import Testing

@Suite("The conformance suite on SQLite", .timeLimit(.minutes(10)))
struct ConformanceTests {
    @Test("SQLite with shared commits", arguments: StoreConformance.cases)
    func shared(_ conformance: ConformanceCase) async throws {
        try await withStore { try await conformance.run(on: $0) }
    }

    @Test("SQLite with a commit for each write, and one reader", arguments: StoreConformance.cases)
    func alone(_ conformance: ConformanceCase) async throws {
        try await withStore(.init(maximumBatch: 1, readers: 1)) { try await conformance.run(on: $0) }
    }

    @Test("R8.19 SQLite with a master key", arguments: StoreConformance.cases)
    func sealed(_ conformance: ConformanceCase) async throws {
        let keys = try MasterKeys(parsing: MasterKey.generate(random: SystemRandomSource()))
        try await withStore(masterKeys: keys) { store in
            _ = try await store.beginSealing(at: Rows.now)
            try await conformance.run(on: store)
        }
    }

    @Test("each case has a name of its own")
    func names() {
        #expect(Set(StoreConformance.cases.map(\.name)).count == StoreConformance.cases.count)
    }
}
