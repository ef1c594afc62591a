// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Custom providers") struct CustomProviderTests {
    private static let path = "/admin/custom-providers"
    private static let good: JSONObject = [
        "provider_type": "oidc", "identifier": "custom:mine", "name": "My Company", "client_id": "app",
        "client_secret": "hunter2", "issuer": "https://id.example", "acceptable_client_ids": ["ios"],
        "scopes": ["email"], "authorization_params": ["prompt": "consent"],
    ]

    @Test(
        "R12.4 a custom provider is configured, read, used, changed and deleted by the platform's API, its secret never shown"
    )
    func life() async throws {
        let bench = try await SupabaseBench(identityProviders: ScriptedProviders())
        let made = try await bench.administer(.post, Self.path, Self.good)
        #expect(made.status == 201, "\(made.text)")
        #expect(made["identifier"] == "custom:mine" && made["provider_type"] == "oidc" && made["enabled"] == true)
        #expect(made["scopes"] == ["openid", "email"] && made["acceptable_client_ids"] == ["ios"])
        #expect(made["authorization_params"] == ["prompt": "consent"] && made["issuer"] == "https://id.example")
        #expect(!made.text.contains("hunter2"))
        #expect(try await bench.administer(.post, Self.path, Self.good).outcome == "400 conflict")
        let list = try await bench.administer(.get, Self.path)
        #expect(list["providers"]?.arrayValue == [.object(made.json)])
        #expect(try await bench.administer(.get, Self.path + "?type=oauth2").json == ["providers": []])
        #expect(try await bench.administer(.get, Self.path + "?type=x").outcome == "400 validation_failed")
        let away = try await bench.send(.get, "/authorize?provider=custom:mine", key: "")
        #expect(away.status == 302 && away[header: "location"]?.contains("prompt=consent") == true, "\(away.text)")
        let changed = try await bench.administer(
            .put, Self.path + "/custom:mine", ["enabled": false, "client_id": "other", "name": "Renamed"])
        #expect(changed["enabled"] == false && changed["client_id"] == "other" && changed["name"] == "Renamed")
        #expect(changed["issuer"] == "https://id.example", "\(changed.text)")
        let off = try await bench.send(.get, "/authorize?provider=custom:mine", key: "")
        #expect(off["msg"] == "Unsupported provider: custom provider custom:mine is disabled")
        #expect(try await bench.administer(.delete, Self.path + "/custom%3Amine").status == 204)
        #expect(
            try await bench.administer(.get, Self.path + "/custom:mine").outcome == "404 custom_provider_not_found")
        #expect(
            try await bench.administer(.delete, Self.path + "/custom:mine").outcome == "404 custom_provider_not_found")
    }

    @Test(
        "R12.4 what can't be had or is missing is refused and not passed over",
        arguments: [
            ["provider_type": "saml"], ["provider_type": "oauth2"], ["identifier": nil], ["identifier": "mine"],
            ["identifier": "custom:\u{e4}"], ["name": nil], ["client_id": nil], ["client_secret": nil],
            ["issuer": nil], ["issuer": "http://id.example"], ["issuer": "https://id.example/?a=1"],
            ["pkce_enabled": false], ["attribute_mapping": ["name": "cn"]], ["custom_claims_allowlist": ["groups"]],
            ["authorization_params": ["state": "x"]], ["authorization_params": ["a": 1]],
            ["discovery_url": "https://other.example/"], ["token_url": "https://id.example/token"],
        ] as [JSONObject])
    func refused(change: JSONObject) async throws {
        let bench = try await SupabaseBench()
        let reply = try await bench.administer(.post, Self.path, Self.good.merging(change))
        #expect(reply.outcome == "400 validation_failed", "\(change): \(reply.text)")
        #expect(!reply.text.contains("hunter2"))
        #expect(try await bench.administer(.get, Self.path).json == ["providers": []])
    }

    @Test("R12.4 the operator bounds how many there are, or has none")
    func limits() async throws {
        let bench = try await SupabaseBench { $0.federation.customProviderLimit = 1 }
        #expect(try await bench.administer(.post, Self.path, Self.good).status == 201)
        let second = try await bench.administer(.post, Self.path, Self.good.merging(["identifier": "custom:two"]))
        #expect(second.outcome == "400 over_custom_provider_quota", "\(second.text)")
        try await bench.accounts.change { $0.federation.customProviders = false }
        #expect(try await bench.administer(.get, Self.path).outcome == "404 feature_disabled")
        #expect(try await bench.send(.get, Self.path).outcome == "401 no_authorization")
    }
}
