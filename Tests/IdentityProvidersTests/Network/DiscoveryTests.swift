// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import IdentityProviders

@Suite("What providers publish of themselves")
struct DiscoveryTests {
    static let issuer = ProviderBench.issuer
    static let url = "\(issuer)/.well-known/openid-configuration"

    static let metadata: JSONObject = [
        "issuer": .string(issuer), "authorization_endpoint": .string("\(issuer)/authorize"),
        "token_endpoint": .string("\(issuer)/token"), "jwks_uri": .string("\(issuer)/keys"),
    ]

    private static var provider: IdentityProvider {
        var provider = ProviderBench.provider(.openID)
        provider.endpoints = .init()
        return provider
    }

    private func begin(_ bench: ProviderBench) async -> AuthErrorCode? {
        do throws(AuthError) {
            _ = try await bench.party.authorization(ProviderBench.request(), at: Self.provider)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "OpenID Connect Discovery 4.3 R12.1 Metadata that are another issuer's, or name what can't be asked, are none")
    func wrong() async {
        let wrong: [JSONObject] = [
            ["issuer": "https://issuer.example/"], ["issuer": "https://evil.example"], ["issuer": .null],
            ["issuer": ["https://issuer.example"]], ["token_endpoint": .null], ["token_endpoint": 1],
            ["token_endpoint": "http://issuer.example/token"], ["token_endpoint": "/token"],
            ["authorization_endpoint": "javascript:alert(1)"], ["jwks_uri": "file:///etc/passwd"],
            ["jwks_uri": "http://127.0.0.1/keys"], ["userinfo_endpoint": "https://localhost/x"],
            ["token_endpoint": "https://a@issuer.example/token"],
            ["token_endpoint": .string("https://issuer.example/" + String(repeating: "x", count: 2048))],
        ]
        for changes in wrong {
            let bench = ProviderBench()
            bench.network.answer(Self.url, Self.metadata.merging(changes))
            #expect(await begin(bench) == .identityProviderUnavailable, "\(changes.text)")
        }
        for text in ["", "[]", "<html>", "{", String(repeating: "[", count: 9000)] {
            let bench = ProviderBench()
            bench.network.answer(Self.url, text: text)
            #expect(await begin(bench) == .identityProviderUnavailable)
        }
        let bench = ProviderBench()
        bench.network.answer(Self.url, status: 302, Self.metadata)
        #expect(await begin(bench) == .identityProviderUnavailable)
        let good = ProviderBench()
        good.network.answer(Self.url, Self.metadata)
        #expect(await begin(good) == nil)
    }

    @Test("R12.1 Metadata are asked for once, renewed in time, and used on for a day while their issuer is away")
    func stale() async {
        let bench = ProviderBench()
        bench.network.answer(Self.url, Self.metadata)
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { #expect(await begin(bench) == nil) } }
        }
        #expect(bench.network.calls.count == 1, "one fetch, however many wait")
        bench.network.fail(Self.url, .unreachable)
        bench.clock.advance(.hours(2))
        for _ in 0..<10 { #expect(await begin(bench) == nil) }
        bench.clock.advance(.hours(24))
        #expect(await begin(bench) == .identityProviderUnavailable)
    }

    @Test("R12.1 A provider that is away is not asked with each sign-in")
    func paused() async {
        let bench = ProviderBench()
        bench.network.fail(Self.url, .timedOut)
        for _ in 0..<20 { #expect(await begin(bench) == .identityProviderUnavailable) }
        #expect(bench.network.calls.count == 1)
        bench.clock.advance(.seconds(2))
        bench.network.answer(Self.url, Self.metadata)
        #expect(await begin(bench) == nil, "and is as soon as its pause is over")
    }

    @Test("R12.1 What metadata say of authentication, PKCE, UserInfo and revocation is followed")
    func capabilities() async throws {
        let rows: [(JSONObject, ClientAuthentication?, Bool)] = [
            ([:], .basic, true),
            (["token_endpoint_auth_methods_supported": ["client_secret_post"]], .post, true),
            (["token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"]], .basic, true),
            (["token_endpoint_auth_methods_supported": ["private_key_jwt"]], nil, true),
            (["code_challenge_methods_supported": ["S256", "plain"]], .basic, true),
            (["code_challenge_methods_supported": ["plain"]], .basic, false),
        ]
        for (changes, authentication, sendsChallenge) in rows {
            let metadata = try ProviderMetadata(Self.metadata.merging(changes), of: Self.issuer)
            guard let authentication else {
                #expect(throws: AuthError(.identityProviderDisabled)) {
                    try Upstream(Self.provider, metadata: metadata)
                }
                continue
            }
            let upstream = try Upstream(Self.provider, metadata: metadata)
            #expect(upstream.authentication == authentication && upstream.sendsChallenge == sendsChallenge)
        }
    }

    @Test("RFC 9207 R12.1 Of a provider that names itself in each answer, one that does not is not its")
    func answersWithIssuer() async throws {
        let bench = ProviderBench()
        bench.network.answer(
            Self.url, Self.metadata.merging(["authorization_response_iss_parameter_supported": true]))
        #expect(await bench.redeem(["access_token": "a"], Self.provider).code == .identityTokenInvalid)
    }

    @Test("R12.1 What an operator names wins over metadata, and is enough without them")
    func named() async throws {
        let bench = ProviderBench()
        #expect(Upstream.discoveredIssuer(of: ProviderBench.provider(.openID)) == nil)
        var provider = Self.provider
        provider.endpoints.token = "https://inside.example/token"
        bench.network.answer(
            Self.url, Self.metadata.merging(["userinfo_endpoint": "https://issuer.example/userinfo"]))
        let upstream = try await bench.party.upstream(provider)
        #expect(
            upstream.token == "https://inside.example/token" && upstream.authorization == "\(Self.issuer)/authorize")
        #expect(upstream.userInfo == nil)
    }
}
