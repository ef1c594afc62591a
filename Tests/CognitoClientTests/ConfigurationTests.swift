// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CognitoClient

struct ConfigurationTests {
    @Test("R13.3 A pool is asked at its region unless another place is named")
    func address() {
        var configuration = CognitoConfiguration(region: "eu-west-1", userPoolID: "eu-west-1_a", clientID: "c")
        #expect(configuration.address == "https://cognito-idp.eu-west-1.amazonaws.com/")
        configuration.endpoint = "http://127.0.0.1:8080/"
        #expect(configuration.address == "http://127.0.0.1:8080/")
    }

    @Test("R13.3 Regions in China are under a domain of their own, which their tokens name too")
    func china() throws {
        let pool = CognitoConfiguration(region: "cn-north-1", userPoolID: "cn-north-1_a", clientID: "c")
        #expect(pool.address == "https://cognito-idp.cn-north-1.amazonaws.com.cn/")
        #expect(pool.expectedIssuer == "https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_a")
        let identities = IdentityPoolConfiguration(region: "cn-north-1", identityPoolID: "cn-north-1:a")
        #expect(identities.address == "https://cognito-identity.cn-north-1.amazonaws.com.cn/")
    }
}
