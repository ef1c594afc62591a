// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import SupabaseAPI

/// Against vectors that Python's `cryptography` and `hmac` have made by the platform's rules.
@Suite struct PlatformSecretsTests {
    private static let row = "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"
    private static let sealed = """
        {"key_id": "k1", "alg": "aes-gcm-hkdf", "data": "48rL+xfcNipicEfuLAJFspZ1I07EVQQTUw/jpMBJ9GcOij5dI+VnUA==", \
        "nonce": "AAECAwQFBgcICQoL"}
        """
    private static let key = "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1-f4CBgoM"

    @Test("R8.19 a column that the platform has encrypted opens under its key, in its own row alone")
    func opens() throws {
        let secrets = try PlatformSecrets(["k1": Secret(Self.key)])
        #expect(try secrets.opened(Self.sealed, of: Self.row, "secret").reveal() == "JBSWY3DPEHPK3PXPJBSWY3DP")
        #expect(throws: AuthError(.invalidRequest)) {
            try secrets.opened(Self.sealed, of: "another row", "secret")
        }
        let other = try PlatformSecrets(["k1": Secret("A" + Self.key.dropFirst())])
        let error = #expect(throws: AuthError(.invalidRequest)) {
            try other.opened(Self.sealed, of: Self.row, "secret")
        }
        #expect(error?.field == "secret" && error?.description.contains("48rL") == false)
        #expect(throws: AuthError(.invalidRequest)) {
            try PlatformSecrets().opened(Self.sealed, of: Self.row, "secret")
        }
    }

    @Test(
        "R8.19 what is not encrypted is as it is", arguments: ["JBSWY3DP", "{", "{}", #"{"key_id":"k1"}"#, "$2a$10$x"])
    func plain(text: String) throws {
        #expect(try PlatformSecrets(["k1": Secret(Self.key)]).opened(text, of: Self.row, "secret").reveal() == text)
    }

    @Test("R8.19 keys of another length are refused, by the variable's name", arguments: ["k1:AAAA", "k1", "k1:?"])
    func keys(list: String) throws {
        let error = #expect(throws: AuthError(.invalidRequest)) {
            try SelfHostedEnvironment(["GOTRUE_SECURITY_DB_ENCRYPTION_DECRYPTION_KEYS": list])
        }
        #expect(error?.field == "GOTRUE_SECURITY_DB_ENCRYPTION_DECRYPTION_KEYS")
    }

    @Test("R8.19 the key that encrypts is named by its own variable, where it is of another length or not needed")
    func key() throws {
        let name = "GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPTION_KEY"
        let error = #expect(throws: AuthError(.invalidRequest)) {
            try SelfHostedEnvironment([name: "AAAA", name + "_ID": "k1"])
        }
        #expect(error?.field == name)
        let findings = try SelfHostedEnvironment([name: Self.key, name + "_ID": "k1"]).findings
        #expect(findings.contains { $0.kind == .notNeeded && $0.name == name }, "\(findings)")
        #expect(!findings.contains { $0.name.hasSuffix("DECRYPTION_KEYS") }, "\(findings)")
    }

    @Test(
        "R25 a counted token of the platform's is the one that it has given out",
        arguments: [
            (0, "ABEREREiIkMzhERVVVVVVVUAI-IcsaseXEKS7q68JAgmU-80L2M"),
            (1, "ABEREREiIkMzhERVVVVVVVUBpozOYVM-sPhnYYTBWpQpN52uNiY"),
            (127, "ABEREREiIkMzhERVVVVVVVV_DoKMAtgL2BLkGnCN7zt03TRKutc"),
            (128, "ABEREREiIkMzhERVVVVVVVWAAe7PGNiO7NAJ0pIX0qyR-ysJW7oj"),
            (300, "ABEREREiIkMzhERVVVVVVVWsAg7ZC0vLuQzqLzMCy_Bbh8fZrB2g"),
        ] as [(UInt64, String)])
    func counted(count: UInt64, text: String) throws {
        let session = try #require(UUIDText.decode("11111111-2222-4333-8444-555555555555"))
        #expect(CountedToken.text(session: session, count: count, key: Secret(Array(0..<32))) == text)
    }

    @Test("R10.1 the platform's database is where the variable says, without what its driver alone reads of it")
    func database() throws {
        let environment = try SelfHostedEnvironment([
            "GOTRUE_DB_DATABASE_URL": "postgres://a:hunter2@db:5432/x?search_path=auth&sslmode=disable",
            "GOTRUE_DB_DB_NAMESPACE": "accounts",
        ])
        #expect(environment.database.url?.reveal() == "postgres://a:hunter2@db:5432/x?sslmode=disable")
        #expect(environment.database.namespace == "accounts" && environment.findings.isEmpty)
        #expect(!"\(environment)".contains("hunter2"))
        var left = environment
        left.leaveDatabase(because: "elsewhere")
        #expect(left.database.url == nil && left.findings.map(\.name) == ["GOTRUE_DB_DATABASE_URL"])
        #expect(try SelfHostedEnvironment([:]).database.namespace == "auth")
        #expect(try SelfHostedEnvironment(["GOTRUE_SITE_URL": "https://app.example:1/x"]).siteHost == "app.example")
    }
}
