// SPDX-License-Identifier: Apache-2.0

import OpenIDClient
import Testing

struct ConfigurationTests {
    @Test("R13.4 An app asks for a refresh token unless it says otherwise")
    func scopes() {
        let configuration = OpenIDClientConfiguration(
            issuer: "https://id.example", clientID: "c", redirectURI: "app://callback")
        #expect(configuration.scopes.contains("offline_access"))
    }
}
