// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import Testing

struct ExportTests {
    @Test("R13.9 One import gives an app every room of the library")
    func exports() async throws {
        let store: any SecureStore = MemoryStore()
        #expect(try await store.read(.session) == nil)
        #expect(CognitoConfiguration(region: "r", userPoolID: "p", clientID: "c").clientSecret == nil)
        #expect(FirebaseConfiguration(apiKey: "k").tenantID == nil)
    }
}
