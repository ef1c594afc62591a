// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Testing

@testable import AppAPI

@Suite("Identity providers over HTTP")
struct IdentityProviderAdminTests {
    private static let path = "/v1/admin/identity-providers"

    @Test("R12.2 a provider is configured, shown without its secret, changed and deleted")
    func life() async throws {
        let (bench, token) = try await ClientAdminTests.bench()
        let made = try await bench.send(
            .post, Self.path, token: token,
            body: [
                "name": "custom:acme", "kind": "openid", "issuer": "https://acme.example",
                "clientIds": ["web", "ios"], "secret": "the-secret-of-acme", "attributeMapping": ["name": "full_name"],
            ])
        #expect(made.status == .created)
        #expect(made.json["hasSecret"] == true && !made.json.text.contains("the-secret-of-acme"))
        #expect(made.json["enabled"] == true && made.json["signUpAllowed"] == true)
        let path = Self.path + "/custom:acme"
        #expect(try await bench.send(.get, path, token: token).json == made.json)
        let list = try await bench.send(.get, Self.path, token: token).json
        #expect(list["identityProviders"] == [.object(made.json)])
        let changed = try await bench.send(
            .patch, path, token: token,
            body: ["displayName": "Acme", "enabled": false, "clientIds": ["web"], "secret": .null])
        #expect(changed.status == .ok && changed.json["displayName"] == "Acme" && changed.json["enabled"] == false)
        #expect(changed.json["hasSecret"] == false && changed.json["issuer"] == "https://acme.example")
        #expect(changed.json["attributeMapping"] == ["name": "full_name"], "what is not said stays")
        #expect(try await bench.send(.delete, path, token: token).json["deleted"] == "custom:acme")
        for method in [HTTPRequest.Method.get, .patch, .delete] {
            #expect(try await bench.send(method, path, token: token, body: [:]).status == .notFound, "\(method)")
        }
    }

    @Test("R12.2 R11.5 what is wrong is refused with its member, never by a 5xx, and configures nothing")
    func refused() async throws {
        let (bench, token) = try await ClientAdminTests.bench()
        let good: JSONObject = ["name": "google", "kind": "google", "clientIds": ["web"]]
        let cases: [(JSONObject, String)] = [
            (["name": .null], "name"), (["name": 1], "name"), (["name": "Google"], "name"), (["kind": "saml"], "kind"),
            (["kind": .null], "kind"), (["kind": "apple"], "name"), (["clientIds": "web"], "clientIds"),
            (["clientIds": [1]], "clientIds"), (["clientIds": []], "clientIds"), (["enabled": "true"], "enabled"),
            (["secret": 1], "secret"), (["issuer": "https://acme.example"], "issuer"),
            (["attributeMapping": ["name": 1]], "attributeMapping"), (["attributeMapping": []], "attributeMapping"),
            (["unknown": 1], "unknown"), (["hasSecret": true], "hasSecret"),
            (["tokenEndpoint": "javascript:x"], "tokenEndpoint"), (["jwksUri": "http://10.0.0.1"], "jwksUri"),
        ]
        for (change, field) in cases {
            var body = good
            for member in change.members { body[member.name] = member.value }
            let answer = try await bench.send(.post, Self.path, token: token, body: body)
            #expect(answer.status == .badRequest && answer.json["field"] == .string(field), "\(change.text)")
        }
        #expect(try await bench.send(.get, Self.path, token: token).json["identityProviders"] == [])
        #expect(try await bench.send(.post, Self.path, token: token, body: good).status == .created)
        #expect(try await bench.send(.post, Self.path, token: token, body: good).status == .conflict)
        #expect(try await bench.send(.get, Self.path, token: nil).status == .unauthorized)
    }
}
