// SPDX-License-Identifier: Apache-2.0

import SupabaseClient
import Testing

struct ConfigurationTests {
    @Test("R13.4 A configuration keeps what it is given")
    func kept() {
        let configuration = SupabaseConfiguration(address: "https://a.example/auth/v1", publishableKey: "k")
        #expect(configuration.publishableKey == "k" && configuration.redirectURI == nil)
    }
}
