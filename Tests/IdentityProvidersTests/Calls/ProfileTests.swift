// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import IdentityProviders

@Suite("Providers with a profile and no ID token")
struct ProfileTests {
    let bench = ProviderBench()

    @Test("R12.1 GitHub's number is the identity, and its address is the primary one, vouched for where it is verified")
    func gitHub() async throws {
        let provider = ProviderBench.provider(.github)
        bench.network.answer(
            "https://api.github.com/user", ["id": 7, "login": "ann", "name": "Ann", "email": "x@y.example"])
        let rows: [(String, String?, Bool)] = [
            (
                #"[{"email":"b@x.example","primary":false,"verified":true},{"email":"a@x.example","primary":true,"verified":true}]"#,
                "a@x.example", true
            ),
            (#"[{"email":"a@x.example","primary":true,"verified":false}]"#, "a@x.example", false),
            (#"[{"email":"a@x.example","primary":true,"verified":"true"}]"#, "a@x.example", false),
            (#"[{"email":"a@x.example","primary":true}]"#, "a@x.example", false),
            (#"[{"email":"a@x.example","primary":"true","verified":true}]"#, nil, false), ("[]", nil, false),
            ("{}", nil, false), ("", nil, false),
        ]
        for (list, address, isVouched) in rows {
            bench.network.answer("https://api.github.com/user/emails", text: list)
            let proof = try await bench.redeem(["access_token": "gho_1"], provider).get()
            #expect(proof.subject == "7" && proof.issuer == "https://github.com")
            #expect(proof.email?.rawValue == address && proof.isEmailVouched == isVouched, "\(list)")
        }
        bench.network.answer("https://api.github.com/user/emails", status: 404, [:])
        #expect(await bench.redeem(["access_token": "gho_1"], provider).value?.email == nil)
        #expect(await bench.redeem(["error": "bad_verification_code"], provider).code == .identityProviderRefused)
        for user in [["login": "ann"], ["id": "7"], ["id": 0]] as [JSONObject] {
            bench.network.answer("https://api.github.com/user", user)
            #expect(await bench.redeem(["access_token": "gho_1"], provider).code == .identityProviderUnavailable)
        }
    }

    @Test("R12.1 An access token that another app was given is refused, GitHub's as Facebook's")
    func otherApps() async throws {
        bench.network.answer("https://api.github.com/user", ["id": 7])
        bench.network.answer("https://api.github.com/user/emails", text: "[]")
        bench.network.answer("https://graph.facebook.com/v23.0/me", ["id": "7", "email": "ann@example.com"])
        let inspection = "https://api.github.com/applications/client-1/token"
        let debug = "https://graph.facebook.com/v23.0/debug_token"
        let good: JSONObject = ["app": ["client_id": "client-1"], "user": ["id": 7]]
        bench.network.answer(inspection, good)
        bench.network.answer(debug, ["data": ["app_id": "client-1", "is_valid": true, "user_id": "7"]])
        for kind in [IdentityProvider.Kind.github, .facebook] {
            let provider = ProviderBench.provider(kind)
            let proof = try await bench.party.judge(accessToken: Secret("t-1"), at: provider)
            #expect(proof.subject == "7" && !proof.isEmailVouched && proof.audience == "client-1")
        }
        let refused: [(JSONObject, JSONObject)] = [
            (good.merging(["app": ["client_id": "client-2"]]), ["app_id": "other", "is_valid": true, "user_id": "7"]),
            (good.merging(["user": ["id": 8]]), ["app_id": "client-1", "is_valid": true, "user_id": "8"]),
            (["user": ["id": 7]], ["app_id": "client-1", "is_valid": false, "user_id": "7"]),
            ([:], ["app_id": "client-1", "is_valid": "true", "user_id": "7"]),
        ]
        for (check, data) in refused {
            bench.network.answer(inspection, check)
            bench.network.answer(debug, ["data": .object(data)])
            for kind in [IdentityProvider.Kind.github, .facebook] {
                await #expect(throws: AuthError(.identityTokenInvalid)) {
                    try await bench.party.judge(accessToken: Secret("t-1"), at: ProviderBench.provider(kind))
                }
            }
        }
        bench.network.answer(inspection, status: 404, [:])
        await #expect(throws: AuthError(.identityTokenInvalid)) {
            try await bench.party.judge(accessToken: Secret("t-1"), at: ProviderBench.provider(.github))
        }
        for kind in [IdentityProvider.Kind.google, .apple, .microsoft, .openID] {
            await #expect(throws: AuthError(.unsupported)) {
                try await bench.party.judge(accessToken: Secret("t-1"), at: ProviderBench.provider(kind))
            }
        }
    }

    @Test("R12.1 GitHub's and Facebook's grants are taken back in their own ways, and what is gone is gone")
    func revoked() async throws {
        let github = ProviderBench.provider(.github)
        let facebook = ProviderBench.provider(.facebook)
        let grant = "https://api.github.com/applications/client-1/grant"
        let permissions = "https://graph.facebook.com/v23.0/7%2F8/permissions"
        let tokens = UpstreamTokens(access: Secret("gho_1"))
        for status in [204, 404, 422] {
            bench.network.answer(grant, status: status, [:])
            try await bench.party.revoke(tokens, of: "7", at: github, now: ProviderBench.now)
        }
        let call = try #require(bench.network.calls.last)
        #expect(call.method == .delete && String(decoding: call.body, as: UTF8.self) == #"{"access_token":"gho_1"}"#)
        // RFC 7617: the client and its secret.
        #expect(call.field("Authorization")?.hasPrefix("Basic ") == true)
        for status in [200, 400, 404] {
            bench.network.answer(permissions, status: status, ["success": true])
            try await bench.party.revoke(UpstreamTokens(), of: "7/8", at: facebook, now: ProviderBench.now)
        }
        let last = try #require(bench.network.calls.last)
        #expect(last.method == .delete && last.field("Authorization") == "Bearer client-1|s3cr:t &")
        for (provider, url) in [(github, grant), (facebook, permissions)] {
            for status in [401, 403, 500, 503] {
                bench.network.answer(url, status: status, [:])
                await #expect(throws: AuthError(.identityProviderUnavailable)) {
                    try await bench.party.revoke(tokens, of: "7/8", at: provider, now: ProviderBench.now)
                }
            }
        }
        // Nothing is asked of whom nothing can be.
        let count = bench.network.calls.count
        var bare = facebook
        bare.secret = nil
        try await bench.party.revoke(UpstreamTokens(), of: "7", at: bare, now: ProviderBench.now)
        try await bench.party.revoke(UpstreamTokens(), of: "7", at: github, now: ProviderBench.now)
        #expect(bench.network.calls.count == count)
    }

    @Test("Y-E4 R12.1 GitHub is asked whether a token is good still, and is believed where it says that it is not")
    func standing() async throws {
        let github = ProviderBench.provider(.github)
        let inspection = "https://api.github.com/applications/client-1/token"
        bench.network.answer(inspection, ["app": ["client_id": "client-1"], "user": ["id": 7]])
        let tokens = try await bench.party.refresh(Secret("gho_1"), at: github, now: ProviderBench.now)
        #expect(tokens.refresh?.reveal() == "gho_1")
        bench.network.answer(inspection, status: 404, [:])
        await #expect(throws: AuthError(.identityProviderRefused)) {
            try await bench.party.refresh(Secret("gho_1"), at: github, now: ProviderBench.now)
        }
        bench.network.answer(inspection, status: 500, [:])
        await #expect(throws: AuthError(.identityProviderUnavailable)) {
            try await bench.party.refresh(Secret("gho_1"), at: github, now: ProviderBench.now)
        }
    }

    @Test("R12.1 Facebook is shown a proof that the app has its secret, and never vouches for an address")
    func facebook() async throws {
        bench.network.answer(
            "https://graph.facebook.com/v23.0/me",
            ["id": "7", "name": "Ann Lee", "first_name": "Ann", "email": "ann@gmail.com", "email_verified": true])
        let proof = try await bench.redeem(["access_token": "EAA"], ProviderBench.provider(.facebook)).get()
        #expect(proof.subject == "7" && proof.givenName == "Ann" && proof.email != nil && !proof.isEmailVouched)
        let call = try #require(bench.network.calls.last)
        #expect(call.field("Authorization") == "Bearer EAA" && !call.url.contains("EAA"))
        // HMAC-SHA-256 of the token under the secret, by another program.
        let expected = "appsecret_proof=" + FacebookProfile.proof(of: Secret("EAA"), secret: Secret("s3cr:t &"))
        #expect(call.url.hasSuffix(expected))
        #expect(
            FacebookProfile.proof(of: Secret("what do ya want for nothing?"), secret: Secret("Jefe"))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("R12.1 A moved provider is not shown what is somebody else's: its profile moves with it")
    func moved() throws {
        var provider = ProviderBench.provider(.github)
        provider.endpoints.token = "https://github.corp.example/login/oauth/access_token"
        #expect(try Upstream(provider).userInfo == nil)
        var google = ProviderBench.provider(.google)
        google.endpoints.token = "http://localhost:8080/dev/identity-provider/google/token"
        #expect(try Upstream(google).revocation == "http://localhost:8080/dev/identity-provider/google/revoke")
        #expect(try Upstream(google).userInfo == nil)
    }
}
