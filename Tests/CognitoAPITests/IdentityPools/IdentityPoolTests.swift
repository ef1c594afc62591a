// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Identity pools") struct IdentityPoolTests {
    private typealias Bench = IdentityPoolBench

    @Test("R12.7 a pool is made, described, listed, changed and deleted, with all that the service's model has of it")
    func life() async throws {
        let bench = try await Bench()
        let name = "cognito-idp.us-east-1.amazonaws.com/" + bench.cognito.poolID
        let given: JSONObject = [
            "IdentityPoolName": "Beispiel", "AllowUnauthenticatedIdentities": true, "AllowClassicFlow": false,
            "DeveloperProviderName": "login.acme",
            "SupportedLoginProviders": ["accounts.google.com": "g-1", "graph.facebook.com": "f-1"],
            "CognitoIdentityProviders": [
                ["ProviderName": .string(name), "ClientId": "abc", "ServerSideTokenCheck": true]
            ], "IdentityPoolTags": ["stage": "test"],
        ]
        let made = try await bench.done("CreateIdentityPool", given)
        let id = made["IdentityPoolId"] ?? .null
        for member in given.members { #expect(made[member.name] == member.value, "\(member.name)") }
        #expect(try await bench.done("DescribeIdentityPool", ["IdentityPoolId": id]) == made)
        let list = try await bench.done("ListIdentityPools", ["MaxResults": 1])
        #expect(list["IdentityPools"] == [["IdentityPoolId": id, "IdentityPoolName": "Beispiel"]])
        let least: JSONObject = [
            "IdentityPoolId": id, "IdentityPoolName": "other", "AllowUnauthenticatedIdentities": false,
        ]
        let changed = try await bench.done("UpdateIdentityPool", least)
        #expect(
            changed == least.merging(["DeveloperProviderName": "login.acme", "IdentityPoolTags": ["stage": "test"]]))
        #expect(
            try await bench.said("UpdateIdentityPool", least.merging(["DeveloperProviderName": "login.other"]))
                .hasPrefix("InvalidParameterException"))
        let arn: JSONObject = [
            "ResourceArn": .string("arn:aws:cognito-identity:us-east-1:1:identitypool/\(id.stringValue ?? "")")
        ]
        _ = try await bench.done("TagResource", arn.merging(["Tags": ["a": "b"]]))
        _ = try await bench.done("UntagResource", arn.merging(["TagKeys": ["stage"]]))
        #expect(try await bench.done("ListTagsForResource", arn)["Tags"] == ["a": "b"])
        #expect(try await bench.done("DeleteIdentityPool", ["IdentityPoolId": id]).isEmpty)
        #expect(
            try await bench.said("DescribeIdentityPool", ["IdentityPoolId": id])
                == "ResourceNotFoundException: IdentityPool '\(id.stringValue ?? "")' not found.")
    }

    @Test("R12.7 an OpenID provider of the Directory's is a pool's by its ARN, with each of its clients")
    func openID() async throws {
        let bench = try await Bench()
        let provider: JSONObject = [
            "UserPoolId": .string(bench.cognito.poolID), "ProviderName": "acme", "ProviderType": "OIDC",
            "ProviderDetails": [
                "client_id": "x-1", "client_secret": "s", "authorize_scopes": "openid",
                "oidc_issuer": "https://login.acme.example/realm/",
            ],
        ]
        _ = try await bench.cognito.done("CreateIdentityProvider", provider)
        let arn = "arn:aws:iam::123456789012:oidc-provider/login.acme.example/realm"
        let pool = try await bench.pool(["OpenIdConnectProviderARNs": [.string(arn)]])
        let shown = try await bench.done("DescribeIdentityPool", ["IdentityPoolId": .string(pool)])
        #expect(shown["OpenIdConnectProviderARNs"] == [.string(arn)])
        let token = JudgingProviders.token("1", issuer: "https://login.acme.example/realm/", audience: "x-1")
        let id = try await bench.id(["login.acme.example/realm": .string(token)], in: pool)
        let identity = try await bench.done("DescribeIdentity", ["IdentityId": .string(id)])
        #expect(identity["Logins"] == ["login.acme.example/realm"])
        let foreign = JudgingProviders.token("1", issuer: "https://login.acme.example/realm/", audience: "x-2")
        #expect(
            try await bench.said(
                "GetId",
                ["IdentityPoolId": .string(pool), "Logins": ["login.acme.example/realm": .string(foreign)]],
                signed: false
            ).hasPrefix("NotAuthorizedException"))
    }

    @Test(
        "R12.7 what this server takes nobody's word by is refused when a pool is made, by its name",
        arguments: [
            ["SupportedLoginProviders": ["www.amazon.com": "a"]],
            ["SupportedLoginProviders": ["api.twitter.com": "a;b"]],
            ["SamlProviderARNs": ["arn:aws:iam::123456789012:saml-provider/x"]],
            ["OpenIdConnectProviderARNs": ["arn:aws:iam::123456789012:oidc-provider/login.acme.example"]],
            [
                "CognitoIdentityProviders": [
                    ["ProviderName": "cognito-idp.eu-west-1.amazonaws.com/x_y", "ClientId": "a"]
                ]
            ],
        ] as [JSONObject])
    func refused(_ members: JSONObject) async throws {
        let bench = try await Bench()
        let usual: JSONObject = ["IdentityPoolName": "p", "AllowUnauthenticatedIdentities": false]
        #expect(
            try await bench.said("CreateIdentityPool", usual.merging(members)).hasPrefix("InvalidParameterException"))
    }

    @Test(
        "R12.7 V8.2.1 all 23 operations are there, and only the four of the service's are open to a call without a signature"
    )
    func table() async throws {
        let bench = try await Bench { settings in
            settings.acceptsAnyAdministrator = false
            settings.accessKeys = ["testkey": Secret("a-secret-of-the-operator")]
        }
        #expect(Set(IdentityPoolOperation.all.map(\.name)).count == 23)
        let open = IdentityPoolOperation.all.filter(\.isOpen).map(\.name)
        #expect(Set(open) == ["GetId", "GetOpenIdToken", "GetCredentialsForIdentity", "UnlinkIdentity"])
        for operation in IdentityPoolOperation.all where !operation.isOpen {
            let unsigned = try await bench.send(operation.name, [:], signed: false)
            #expect(unsigned.exception == "MissingAuthenticationTokenException", "\(operation.name)")
            let forged = try await bench.send(operation.name, ["MaxResults": 1])
            #expect(forged.status == 400 && forged.json["IdentityPools"] == nil, "\(operation.name)")
            #expect(forged.exception != "ValidationException", "\(operation.name): who calls comes first")
        }
    }

    @Test("R12.7 what breaks the model's constraints is a ValidationException that names the member")
    func constraints() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        for (operation, body, member) in [
            ("GetId", [:], "identityPoolId"), ("GetId", ["IdentityPoolId": "x"], "identityPoolId"),
            ("GetId", ["IdentityPoolId": "us-east-1:X"], "identityPoolId"),
            ("GetId", ["IdentityPoolId": .string(pool), "Logins": ["accounts.google.com": ""]], "logins"),
            ("GetId", ["IdentityPoolId": .string(pool), "AccountId": "abc"], "accountId"),
            ("GetOpenIdToken", ["IdentityId": "us-east-1"], "identityId"),
            ("ListIdentityPools", [:], "maxResults"), ("ListIdentityPools", ["MaxResults": 61], "maxResults"),
            ("CreateIdentityPool", ["IdentityPoolName": "<>"], "identityPoolName"),
            ("CreateIdentityPool", ["IdentityPoolName": "a"], "allowUnauthenticatedIdentities"),
            (
                "SetIdentityPoolRoles", ["IdentityPoolId": .string(pool), "Roles": ["admin": .string(Bench.role)]],
                "roles"
            ),
            ("SetIdentityPoolRoles", ["IdentityPoolId": .string(pool), "Roles": ["authenticated": "short"]], "roles"),
            (
                "GetOpenIdTokenForDeveloperIdentity",
                ["IdentityPoolId": .string(pool), "Logins": ["login.acme": "a"], "TokenDuration": 86_401],
                "tokenDuration"
            ),
            ("DeleteIdentities", ["IdentityIdsToDelete": []], "identityIdsToDelete"),
        ] as [(String, JSONObject, String)] {
            let said = try await bench.said(operation, body)
            #expect(
                said.hasPrefix("ValidationException: 1 validation error detected: Value")
                    && said.contains("at '\(member)' failed to satisfy constraint"), "\(operation): \(said)")
        }
    }

    @Test("R12.7 identities are deleted, with a word about none that is not there; a deleted one comes anew")
    func deletion() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let id = try await bench.id(Bench.google("1"), in: pool)
        let gone = try await bench.done("DeleteIdentities", ["IdentityIdsToDelete": [.string(id), "us-east-1:abc"]])
        #expect(gone == ["UnprocessedIdentityIds": []])
        #expect(try await bench.said("DescribeIdentity", ["IdentityId": .string(id)]).hasPrefix("ResourceNotFound"))
        #expect(try await bench.id(Bench.google("1"), in: pool) != id)
    }

    @Test("R12.7 who comes too often is told so, as in the service")
    func limits() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool(["AllowUnauthenticatedIdentities": true])
        var said = ""
        for _ in 0..<200 where !said.contains("TooMany") {
            said = try await bench.said("GetId", ["IdentityPoolId": .string(pool), "Logins": [:]], signed: false)
        }
        #expect(said == "TooManyRequestsException: Rate exceeded")
    }
}
