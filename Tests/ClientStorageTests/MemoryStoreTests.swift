// SPDX-License-Identifier: Apache-2.0

import ClientSession
import ClientStorage
import Testing

struct MemoryStoreTests {
    @Test("R13.2 Of a hundred who want a key exclusively, no two have it at once")
    func exclusive() async throws {
        let store = MemoryStore()
        try await store.write([0], for: .session)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await store.exclusively(.session) {
                        let before = try await store.read(.session)?.first ?? 0
                        await Task.yield()
                        try await store.write([before + 1], for: .session)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read(.session) == [100])
    }

    @Test("F4 Whoever is cancelled while waiting gets nothing and takes nothing from those behind")
    func cancelled() async throws {
        let store = MemoryStore()
        let (held, holding) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await store.exclusively(.session) {
                holding.finish()
                for await _ in released {}
            }
        }
        for await _ in held {}
        let given = Task { try await store.exclusively(.session) { Issue.record("had it though cancelled") } }
        let behind = Task { try await store.exclusively(.session) { true } }
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        release.finish()
        try await holder.value
        #expect(try await behind.value)
    }
}
