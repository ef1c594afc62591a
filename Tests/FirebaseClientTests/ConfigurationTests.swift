// SPDX-License-Identifier: Apache-2.0

import FirebaseClient
import Testing

struct ConfigurationTests {
    @Test("R13.4 A configuration keeps what it is given")
    func kept() {
        let configuration = FirebaseConfiguration(apiKey: "k")
        #expect(configuration.apiKey == "k" && configuration.emulator == nil)
    }
}
