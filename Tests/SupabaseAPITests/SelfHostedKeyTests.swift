// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import JOSE
import Testing

@testable import SupabaseAPI

@Suite("Keys of a self-hosted platform") struct SelfHostedKeyTests {
    private static let secret = "a-shared-secret-of-more-than-32-bytes-for-tests"

    /// A list with one key that signs, and whatever else.
    static func list(_ others: JSONObject...) throws -> String {
        var key = try JSONObject(parsing: SigningKey.generate(.es256, keyID: "one").exported.reveal().utf8)
        key["key_ops"] = ["sign", "verify"]
        return JSONValue.array([.object(key)] + others.map { .object($0) }).text
    }

    @Test(
        "R10.1 keys that no server would start with are refused by whoever reads them, without being repeated",
        arguments: [
            ["GOTRUE_JWT_SECRET": "short"], ["GOTRUE_JWT_SECRET": SelfHostedEnvironment.demoSecret],
            ["GOTRUE_JWT_KEYS": "{"], ["GOTRUE_JWT_KEYS": "[{}]"], ["GOTRUE_JWT_KEYS": "[1]"],
            [
                "GOTRUE_JWT_KEYS":
                    #"[{"kty":"EC","crv":"P-256","alg":"ES256","key_ops":["sign"],"x":"AA","y":"AA","d":"AA"}]"#
            ],
            ["GOTRUE_JWT_KEYS": #"[{"kty":"oct","k":"AAAA","alg":"HS256","key_ops":["sign"]}]"#],
            [
                "GOTRUE_JWT_KEYS":
                    #"[{"kty":"EC","crv":"P-256","x":"M5Sjqn5zwC9Kl1zVfUUGvv9boQjCGd45G8sdopBExB4","key_ops":["sign"]}]"#
            ],
        ])
    func refused(variables: [String: String]) throws {
        let (name, value) = try #require(variables.first)
        let error = #expect(throws: AuthError.self) { try SelfHostedEnvironment(variables) }
        #expect(error?.field == name && error?.description.contains(value) == false)
    }

    @Test("R10.1 the secret that the platform's local tooling gives to everybody is taken in development, and named")
    func demoSecret() throws {
        let variables = ["GOTRUE_JWT_SECRET": SelfHostedEnvironment.demoSecret]
        let environment = try SelfHostedEnvironment(variables, isDevelopment: true)
        #expect(environment.findings.map(\.kind) == [.insecure] && environment.honoursSharedSecret)
        // Another one that is public is none of theirs.
        #expect(throws: AuthError.self) {
            try SelfHostedEnvironment(
                ["GOTRUE_JWT_SECRET": "your-" + SelfHostedEnvironment.demoSecret], isDevelopment: true)
        }
    }

    @Test("R10.3 the secret verifies beside a key list, unless the algorithms that are taken leave it out")
    func besideList() throws {
        let list = try Self.list()
        let both = ["GOTRUE_JWT_SECRET": Self.secret, "GOTRUE_JWT_KEYS": list]
        #expect(try SelfHostedEnvironment(both).honoursSharedSecret)
        for name in ["GOTRUE_JWT_VALID_METHODS", "GOTRUE_JWT_VALIDMETHODS"] {
            #expect(try !SelfHostedEnvironment(both.merging([name: "ES256"]) { $1 }).honoursSharedSecret)
            #expect(try SelfHostedEnvironment(both.merging([name: "HS256, ES256"]) { $1 }).honoursSharedSecret)
            let error = #expect(throws: AuthError.self) {
                try SelfHostedEnvironment(both.merging([name: "HS256,RS256"]) { $1 })
            }
            #expect(error?.field == "GOTRUE_JWT_VALID_METHODS")
            #expect(throws: AuthError.self) {
                try SelfHostedEnvironment(["GOTRUE_JWT_SECRET": Self.secret, name: "ES256"])
            }
        }
        // What templates write for none.
        #expect(try SelfHostedEnvironment(["GOTRUE_JWT_SECRET": Self.secret, "GOTRUE_JWT_KEYS": "[]"]).keys != nil)
        #expect(try SelfHostedEnvironment([:]).keys == nil)
    }
}
