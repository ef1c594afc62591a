// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Identity providers of pools") struct IdentityProviderTests {
    private static let google: JSONObject = [
        "ProviderName": "Google", "ProviderType": "Google",
        "ProviderDetails": ["client_id": "g-1", "client_secret": "s-1", "authorize_scopes": "openid email"],
        "AttributeMapping": ["email": "email", "username": "sub"], "IdpIdentifiers": ["corp.example"],
    ]
    private static let acme: JSONObject = [
        "ProviderName": "acme", "ProviderType": "OIDC",
        "ProviderDetails": [
            "client_id": "a-1", "client_secret": "s-2", "authorize_scopes": "openid",
            "oidc_issuer": "https://acme.example", "attributes_request_method": "GET",
        ],
    ]

    /// What is said of a call that is refused.
    private static func said(_ bench: CognitoBench, _ operation: String, _ body: JSONObject) async throws -> String {
        let reply = try await bench.send(operation, body)
        #expect(reply.status == 400, "\(operation) \(reply.status)")
        return "\(reply.exception ?? ""): \(reply.message ?? "")"
    }

    @Test("R12.6 a provider is made, described, found, listed, changed and deleted in the service's words")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool: JSONObject = ["UserPoolId": .string(try await bench.makePool())]
        let none = try await bench.done("ListIdentityProviders", pool)
        #expect(none["Providers"] == [])
        let made = try #require(
            try await bench.done("CreateIdentityProvider", pool.merging(Self.google))["IdentityProvider"]?.objectValue)
        for member in Self.google.members { #expect(made[member.name] == member.value, "\(member.name)") }
        let named = pool.merging(["ProviderName": "Google"])
        #expect(try await bench.done("DescribeIdentityProvider", named)["IdentityProvider"] == .object(made))
        let found = try await bench.done(
            "GetIdentityProviderByIdentifier", pool.merging(["IdpIdentifier": "corp.example"]))
        #expect(found["IdentityProvider"] == .object(made))
        _ = try await bench.done("CreateIdentityProvider", pool.merging(Self.acme))
        let list = try await bench.done("ListIdentityProviders", pool)["Providers"]?.arrayValue ?? []
        #expect(list.map { $0.objectValue?["ProviderName"] } == ["acme", "Google"])
        #expect(list.map { $0.objectValue?["ProviderType"] } == ["OIDC", "Google"])
        let changed = try await bench.done(
            "UpdateIdentityProvider",
            named.merging(["ProviderDetails": ["client_id": "g-2", "authorize_scopes": "openid"]]))
        let details = changed["IdentityProvider"]?.objectValue?["ProviderDetails"]?.objectValue
        #expect(details == ["client_id": "g-2", "authorize_scopes": "openid", "client_secret": "s-1"])
        #expect(
            changed["IdentityProvider"]?.objectValue?["IdpIdentifiers"] == ["corp.example"], "what is not said stays")
        #expect(try await bench.done("DeleteIdentityProvider", named).isEmpty)
        let gone = try await Self.said(bench, "DescribeIdentityProvider", named)
        #expect(gone.contains("ResourceNotFoundException"), "\(gone)")
    }

    @Test("R12.6 an app client offers the pool's providers and no others")
    func clients() async throws {
        let bench = try await CognitoBench()
        let pool: JSONObject = ["UserPoolId": .string(try await bench.makePool())]
        let client = pool.merging(["ClientName": "app", "SupportedIdentityProviders": ["COGNITO", "acme"]])
        #expect(try await Self.said(bench, "CreateUserPoolClient", client).contains("does not exist for User Pool"))
        _ = try await bench.done("CreateIdentityProvider", pool.merging(Self.acme))
        let made = try await bench.done("CreateUserPoolClient", client)["UserPoolClient"]?.objectValue
        #expect(made?["SupportedIdentityProviders"] == ["COGNITO", "acme"])
    }

    @Test("R12.6 what can't be configured is refused in the service's words, and nothing is made")
    func refused() async throws {
        let bench = try await CognitoBench()
        let pool: JSONObject = ["UserPoolId": .string(try await bench.makePool())]
        let details = Self.google["ProviderDetails"]?.objectValue ?? [:]
        let open = Self.acme["ProviderDetails"]?.objectValue ?? [:]
        let rows: [(JSONObject, JSONObject, String)] = [
            (Self.google, ["ProviderName": .null], "InvalidParameterException"),
            (Self.google, ["ProviderName": 1], "SerializationException"),
            (Self.google, ["ProviderName": "Search"], "InvalidParameterException"),
            (Self.google, ["ProviderType": "SAML"], "InvalidParameterException"),
            (Self.google, ["ProviderType": "LoginWithAmazon"], "InvalidParameterException"),
            (Self.google, ["ProviderType": "MySpace"], "InvalidParameterException"),
            (Self.google, ["ProviderDetails": .null], "InvalidParameterException"),
            (Self.google, ["ProviderDetails": ["client_id": "x"]], "authorize_scopes"),
            (
                Self.google, ["ProviderDetails": .object(details.merging(["oidc_issuer": "https://a.example"]))],
                "oidc_issuer"
            ),
            (Self.google, ["ProviderDetails": .object(details.merging(["made_up": "x"]))], "made_up"),
            (Self.google, ["ProviderDetails": .object(details.merging(["client_id": 1]))], "SerializationException"),
            (Self.google, ["IdpIdentifiers": ["<script>"]], "InvalidParameterException"),
            (Self.acme, ["ProviderName": "Acme"], "lower-case"), (Self.acme, ["ProviderName": "google"], "Invalid"),
            (Self.acme, ["ProviderName": "COGNITO"], "InvalidParameterException"),
            (Self.acme, ["ProviderDetails": .object(open.merging(["oidc_issuer": "http://acme.example"]))], "issuer"),
            (Self.acme, ["ProviderDetails": .object(open.merging(["token_url": "javascript:x"]))], "token"),
        ]
        for (subject, change, text) in rows {
            let reply = try await Self.said(bench, "CreateIdentityProvider", pool.merging(subject).merging(change))
            #expect(reply.contains(text), "\(change.text): \(reply)")
        }
        #expect(try await bench.done("ListIdentityProviders", pool)["Providers"] == [])
        _ = try await bench.done("CreateIdentityProvider", pool.merging(Self.acme))
        let twice = try await Self.said(bench, "CreateIdentityProvider", pool.merging(Self.acme))
        #expect(twice.contains("DuplicateProviderException"), "\(twice)")
        for name in ["Google", "nobody", "Acme"] {
            for operation in ["DescribeIdentityProvider", "UpdateIdentityProvider", "DeleteIdentityProvider"] {
                let reply = try await Self.said(bench, operation, pool.merging(["ProviderName": .string(name)]))
                #expect(reply.contains("ResourceNotFoundException"), "\(operation) \(name) \(reply)")
            }
        }
    }
}
