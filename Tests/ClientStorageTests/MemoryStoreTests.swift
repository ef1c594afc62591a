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
}
