// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AccountStoreConformance
import AccountStorePostgres
import AuthTypes
import Testing

@Suite("The conformance suite on PostgreSQL", .postgres, .timeLimit(.minutes(10)))
struct PostgresConformanceTests {
    @Test("PostgreSQL", arguments: StoreConformance.cases)
    func conforms(_ conformance: ConformanceCase) async throws {
        try await PostgresServer.withStore { try await conformance.run(on: $0) }
    }

    @Test("R8.19 PostgreSQL with a master key, and one connection", arguments: StoreConformance.cases)
    func sealed(_ conformance: ConformanceCase) async throws {
        let keys = try MasterKeys(parsing: MasterKey.generate(random: SystemRandomSource()))
        try await PostgresServer.withStore(.init(connections: 1), masterKeys: keys) { store in
            _ = try await store.beginSealing(at: Instant(seconds: 1_700_000_000))
            try await conformance.run(on: store)
        }
    }
}
