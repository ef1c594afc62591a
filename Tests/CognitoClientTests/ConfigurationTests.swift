// SPDX-License-Identifier: Apache-2.0

import CognitoClient
import Testing

struct ConfigurationTests {
    @Test("R13.3 A pool is asked at its region unless another place is named")
    func address() {
        var configuration = CognitoConfiguration(region: "eu-west-1", userPoolID: "eu-west-1_a", clientID: "c")
        #expect(configuration.address == "https://cognito-idp.eu-west-1.amazonaws.com/")
        configuration.endpoint = "http://127.0.0.1:8080/"
        #expect(configuration.address == "http://127.0.0.1:8080/")
    }
}
