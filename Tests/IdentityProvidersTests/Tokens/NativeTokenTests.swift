// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import IdentityProviders

@Suite("ID tokens that apps bring along")
struct NativeTokenTests {
    let bench = ProviderBench()

    private func token(_ kind: IdentityProvider.Kind, _ changes: JSONObject = [:]) throws -> String {
        try JWS.sign(ProviderBench.claims(kind).merging(changes), with: TestKeys.rsa)
    }

    @Test("R12.1 A nonce is in the token in the form that was promised, and in both places or in none")
    func nonces() async throws {
        let provider = ProviderBench.provider(.openID)
        let plain = try token(.openID)
        let hashed = try token(.openID, ["nonce": .string(sha256("n-1"))])
        let bare = try token(.openID, ["nonce": .null])
        let rows: [(String, String?, UpstreamIDToken.NonceForm, Bool)] = [
            (plain, "n-1", .plain, true), (plain, "n-1", .either, true), (plain, "n-1", .hashed, false),
            (hashed, "n-1", .plain, false), (hashed, "n-1", .either, true), (hashed, "n-1", .hashed, true),
            (plain, nil, .either, false), (bare, "n-1", .either, false), (bare, nil, .either, true),
            (plain, "", .either, false), (bare, "", .either, false), (hashed, sha256("n-1"), .hashed, false),
        ]
        for (token, nonce, form, isGood) in rows {
            let proof = await bench.judge(token, provider, nonce: nonce, form: form)
            #expect((proof.value != nil) == isGood, "\(nonce ?? "none") \(form)")
        }
        var lax = provider
        lax.skipsNonceCheck = true
        #expect(await bench.judge(plain, lax, nonce: nil).value != nil)
        #expect(await bench.redeem(["id_token": .string(bare)], lax).code == .identityTokenInvalid)
    }

    @Test("H-8 R12.8 what no key would make good is seen without asking the provider anything")
    func inspected() throws {
        for kind in [IdentityProvider.Kind.google, .apple, .microsoft, .openID] {
            var provider = ProviderBench.provider(kind)
            // Nothing is known of it but who it is.
            provider.endpoints = .init()
            func code(_ changes: JSONObject, nonce: String? = "n-1") throws -> AuthErrorCode? {
                let text = try JWS.sign(ProviderBench.claims(kind).merging(changes), with: TestKeys.foreign)
                return refusal(of: text, nonce, provider)
            }
            #expect(try code([:]) == nil, "whoever has signed it")
            #expect(try code(["exp": .integer(ProviderBench.now.seconds - 59)]) == nil)
            let bad: [JSONObject] = [
                ["iss": "https://evil.example"], ["aud": "another"], ["sub": .null], ["exp": .null],
                ["exp": .integer(ProviderBench.now.seconds - 60)], ["nonce": "another"],
            ]
            for changes in bad {
                #expect(try code(changes) == .identityTokenInvalid, "\(kind) \(changes.text)")
            }
            #expect(try code([:], nonce: nil) == .identityTokenInvalid)
            for text in ["", "a.b.c", "forged", "e30.e30."] {
                #expect(refusal(of: text, nil, provider) == .identityTokenInvalid, "\(text)")
            }
        }
        #expect(bench.network.calls.isEmpty)
    }

    private func refusal(of text: String, _ nonce: String?, _ provider: IdentityProvider) -> AuthErrorCode? {
        do {
            try bench.party.inspect(
                UpstreamIDToken(text: Secret(text), nonce: nonce, nonceForm: .either), at: provider,
                now: ProviderBench.now)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("R12.1 Apple's old devices alone may lack a nonce, and only where the token says that they can't send one")
    func oldDevices() async throws {
        let apple = ProviderBench.provider(.apple)
        for word in [false, "false"] as [JSONValue] {
            let old = try token(.apple, ["nonce": .null, "nonce_supported": word])
            #expect(await bench.judge(old, apple).value != nil)
            let other = try token(.openID, ["nonce": .null, "nonce_supported": word])
            #expect(await bench.judge(other, ProviderBench.provider(.openID)).code == .identityTokenInvalid)
        }
        for changes in [["nonce": .null], ["nonce": .null, "nonce_supported": true]] as [JSONObject] {
            #expect(await bench.judge(try token(.apple, changes), apple).code == .identityTokenInvalid)
        }
        let wrong = try token(.apple, ["nonce": "n-2", "nonce_supported": false])
        #expect(await bench.judge(wrong, apple).code == .identityTokenInvalid)
    }

    @Test("R12.1 Google and Apple write their names in two ways, and an identity is kept under one")
    func spellings() async throws {
        for (kind, spellings) in [
            (IdentityProvider.Kind.google, ["https://accounts.google.com", "accounts.google.com"]),
            (.apple, ["https://appleid.apple.com", "https://account.apple.com"]),
            (.facebook, ["https://www.facebook.com", "https://limited.facebook.com"]),
        ] {
            for spelling in spellings {
                let proof = await bench.judge(
                    try token(kind, ["iss": .string(spelling)]), ProviderBench.provider(kind))
                #expect(proof.value?.issuer == spellings[0])
            }
            for other in ["https://evil.example", "http://accounts.google.com", "account.apple.com"] {
                let proof = await bench.judge(try token(kind, ["iss": .string(other)]), ProviderBench.provider(kind))
                #expect(proof.code == .identityTokenInvalid, "\(other)")
            }
        }
    }

    @Test("R12.1 Each kind's audience: Google's SDK names the app in azp, Apple has one, Workspace domains are listed")
    func audiences() async throws {
        let google = ProviderBench.provider(.google)
        let android = try token(.google, ["aud": "client-2", "azp": "the-android-app"])
        #expect(await bench.judge(android, google).value?.audience == "client-2")
        let several = try token(.google, ["aud": ["client-1", "x"], "azp": "x"])
        #expect(await bench.judge(several, google).code == .identityTokenInvalid)
        let two = try token(.apple, ["aud": ["client-1", "client-2"], "azp": "client-1"])
        #expect(await bench.judge(two, ProviderBench.provider(.apple)).code == .identityTokenInvalid)
        var workspace = google
        workspace.organizations = ["example.com"]
        for (domain, isGood) in [("example.com", true), ("example.org", false), (nil, false)] as [(String?, Bool)] {
            let token = try token(.google, ["hd": domain.map(JSONValue.string) ?? .null])
            #expect((await bench.judge(token, workspace).value != nil) == isGood)
        }
    }

    @Test("R12.1 A token of Microsoft's is of a tenant that is allowed, by its own issuer and its own key")
    func tenants() async throws {
        var provider = ProviderBench.provider(.microsoft)
        let good = try token(.microsoft)
        #expect(await bench.judge(good, provider).value?.issuer.contains(ProviderBench.tenant) == true)
        let other = "0f0f0f0f-1111-2222-3333-555555555555"
        for changes in [
            ["tid": .string(other)], ["tid": .null], ["tid": "common"], ["tid": "../x"],
            ["iss": "https://login.microsoftonline.com/{tenantid}/v2.0"],
            ["iss": .string("https://evil.example/\(ProviderBench.tenant)/v2.0")],
        ] as [JSONObject] {
            #expect(await bench.judge(try token(.microsoft, changes), provider).code == .identityTokenInvalid)
        }
        provider.organizations = [other]
        #expect(await bench.judge(good, provider).code == .identityTokenInvalid)
        provider.organizations = [ProviderBench.tenant]
        #expect(await bench.judge(good, provider).value != nil)
        provider.organizations = ["contoso.com"]
        #expect(await bench.judge(good, provider).code == .identityProviderDisabled)
        provider.organizations = []
        for (tenant, isGood) in [
            ("organizations", true), ("consumers", false), (ProviderBench.tenant, true), (other, false),
        ] {
            provider.issuer = "https://login.microsoftonline.com/\(tenant)/v2.0"
            let keys = "https://login.microsoftonline.com/\(tenant)/discovery/v2.0/keys"
            bench.network.answer(keys, TestKeys.set())
            #expect((await bench.judge(good, provider).value != nil) == isGood, "\(tenant)")
        }
    }

    @Test("R12.1 A key that Microsoft publishes for one tenant signs for no other")
    func tenantsKey() async throws {
        let keys = "https://login.microsoftonline.com/common/discovery/v2.0/keys"
        let base = "https://login.microsoftonline.com"
        for (issuer, isGood) in [
            ("\(base)/{tenantid}/v2.0", true), ("\(base)/\(ProviderBench.tenant)/v2.0", true),
            ("\(base)/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", false),
        ] {
            let bench = ProviderBench()
            bench.network.answer(keys, TestKeys.set([TestKeys.rsa], issuer: issuer))
            let proof = await bench.judge(try token(.microsoft), ProviderBench.provider(.microsoft))
            #expect((proof.value != nil) == isGood, "\(issuer)")
            // One that does not say which key it is: the only one there is, of whoever's.
            let unnamed = try JWS.sign(ProviderBench.claims(.microsoft), with: TestKeys.unnamed)
            #expect(await bench.judge(unnamed, ProviderBench.provider(.microsoft)).value == nil, "\(issuer)")
        }
        let bench = ProviderBench()
        bench.network.answer(keys, TestKeys.set([TestKeys.rsa]))
        #expect(await bench.judge(try token(.microsoft), ProviderBench.provider(.microsoft)).value != nil)
    }

    @Test("R12.1 A vendor's tokens are of its one algorithm, and GitHub signs none")
    func algorithms() async throws {
        for kind in [IdentityProvider.Kind.google, .apple, .microsoft, .facebook] {
            let token = try JWS.sign(ProviderBench.claims(kind), with: TestKeys.es256)
            #expect(await bench.judge(token, ProviderBench.provider(kind)).code == .identityTokenInvalid)
        }
        let token = try JWS.sign(ProviderBench.claims(), with: TestKeys.rsa)
        #expect(await bench.judge(token, ProviderBench.provider(.github)).code == .identityTokenInvalid)
    }
}
