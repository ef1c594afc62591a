// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import SupabaseAPI

@Suite("The container's identity providers") struct SelfHostedProviderTests {
    private static func environment(_ variables: [String: String]) throws -> SelfHostedEnvironment {
        try SelfHostedEnvironment(
            Dictionary(uniqueKeysWithValues: variables.map { ("GOTRUE_EXTERNAL_" + $0.key, $0.value) }))
    }

    @Test("R12.4 a provider that is switched on is taken over, under the name that it has in every dialect")
    func taken() throws {
        let environment = try Self.environment([
            "GOOGLE_ENABLED": "true", "GOOGLE_CLIENT_ID": "web, ios", "GOOGLE_SECRET": "hunter2-of-google",
            "GOOGLE_REDIRECT_URI": "https://api.example/auth/v1/callback", "GOOGLE_SKIP_NONCE_CHECK": "true",
            "AZURE_ENABLED": "true", "AZURE_CLIENT_ID": "app", "AZURE_EMAIL_OPTIONAL": "true",
            "AZURE_URL": "https://login.microsoftonline.com/11111111-2222-4333-8444-555555555555/",
            "APPLE_ENABLED": "true", "APPLE_CLIENT_ID": "org.example.web", "IOS_BUNDLE_ID": "org.example.app",
            "KEYCLOAK_ENABLED": "true", "KEYCLOAK_CLIENT_ID": "kc", "KEYCLOAK_URL": "https://kc.example/realms/one",
            "GITHUB_ENABLED": "true", "GITHUB_CLIENT_ID": "gh", "GITHUB_URL": "https://git.example",
            "GITLAB_ENABLED": "true", "GITLAB_CLIENT_ID": "gl", "FACEBOOK_ENABLED": "false", "FACEBOOK_CLIENT_ID": "fb",
        ])
        let providers = Dictionary(uniqueKeysWithValues: environment.providers.map { ($0.name, $0) })
        #expect(Set(providers.keys) == ["google", "microsoft", "apple", "keycloak", "github", "gitlab"])
        let google = try #require(providers["google"])
        #expect(google.kind == .google && google.clientIDs == ["web", "ios"] && google.skipsNonceCheck)
        #expect(google.secret?.reveal() == "hunter2-of-google" && !"\(environment)".contains("hunter2"))
        let provider = google.provider(in: DirectoryID("d"), at: Instant(seconds: 1))
        #expect(ProviderKeeping(provider).redirectURI == "https://api.example/auth/v1/callback")
        #expect(provider.isEnabled && provider.name == "google" && provider.directoryID == DirectoryID("d"))
        let microsoft = try #require(providers["microsoft"])
        #expect(microsoft.kind == .microsoft && microsoft.emailOptional)
        #expect(
            microsoft.issuer == "https://login.microsoftonline.com/11111111-2222-4333-8444-555555555555/v2.0")
        #expect(providers["apple"]?.clientIDs == ["org.example.web", "org.example.app"])
        #expect(
            providers["keycloak"]?.kind == .openID && providers["keycloak"]?.issuer == "https://kc.example/realms/one")
        #expect(providers["gitlab"]?.issuer == "https://gitlab.com")
        #expect(providers["github"]?.endpoints.token == "https://git.example/login/oauth/access_token")
        #expect(environment.findings.map(\.kind) == [.insecure])
    }

    @Test(
        "R12.4 Apple's secret that was signed beforehand is taken; what can't be one is named, and ID tokens need none")
    func apple() throws {
        func secret(_ changes: JSONObject, algorithm: JWSAlgorithm = .es256) throws -> String {
            let claims: JSONObject = [
                "iss": "TEAM", "sub": "org.example.web", "aud": "https://appleid.apple.com", "iat": 1,
                "exp": 15_777_000,
            ]
            return try JWS.sign(claims.merging(changes), with: SigningKey.generate(algorithm))
        }
        func environment(_ secret: String) throws -> SelfHostedEnvironment {
            try Self.environment([
                "APPLE_ENABLED": "true", "APPLE_CLIENT_ID": "org.example.web,org.example.app", "APPLE_SECRET": secret,
            ])
        }
        let good = try secret([:])
        let taken = try environment(good)
        #expect(taken.findings.isEmpty && taken.providers.first?.secret?.reveal() == good)
        for bad in [
            "e30.e30.AAAA", "-----BEGIN PRIVATE KEY-----", try secret(["sub": "org.example.app"]),
            try secret(["aud": "x"]),
            try secret(["exp": .null]), try secret([:], algorithm: .rs256),
        ] {
            let environment = try environment(bad)
            #expect(environment.findings.map(\.name) == ["GOTRUE_EXTERNAL_APPLE_SECRET"], "\(bad)")
            let apple = try #require(environment.providers.first)
            #expect(apple.name == "apple" && apple.secret == nil)
        }
    }

    @Test(
        "R12.4 a provider without its client stays off and is named; one of an address that nobody can trust is refused"
    )
    func bad() throws {
        let environment = try Self.environment(["GOOGLE_ENABLED": "true", "GOOGLE_SECRET": "x"])
        #expect(environment.providers.isEmpty)
        #expect(environment.findings.map(\.name) == ["GOTRUE_EXTERNAL_GOOGLE_ENABLED"])
        for (variables, field) in [
            (["KEYCLOAK_ENABLED": "true", "KEYCLOAK_CLIENT_ID": "x"], "KEYCLOAK_URL"),
            (
                ["KEYCLOAK_ENABLED": "true", "KEYCLOAK_CLIENT_ID": "x", "KEYCLOAK_URL": "http://kc.example"],
                "KEYCLOAK_URL"
            ),
            (["GOOGLE_ENABLED": "maybe"], "GOOGLE_ENABLED"),
        ] {
            let error = #expect(throws: AuthError.self) { try Self.environment(variables) }
            #expect(error?.field == "GOTRUE_EXTERNAL_" + field)
        }
    }
}
