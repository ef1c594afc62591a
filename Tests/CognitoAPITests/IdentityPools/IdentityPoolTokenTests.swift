// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import CognitoAPI

@Suite("Tokens and credentials of identity pools") struct IdentityPoolTokenTests {
    private typealias Bench = IdentityPoolBench

    private static func claims(_ token: String) throws -> JWTClaims {
        try JWTClaims(parsing: ParsedJWS(parsing: Array(token.utf8)).payload)
    }

    @Test(
        "H-6 R12.7 an identity's token is verified by what its issuer publishes, and passes for nothing else anywhere")
    func token() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool(["AllowClassicFlow": true])
        let id = try await bench.id(Bench.google("1"), in: pool)
        let call: JSONObject = ["IdentityId": .string(id), "Logins": .object(Bench.google("1"))]
        let answer = try await bench.done("GetOpenIdToken", call, signed: false)
        let token = try #require(answer["Token"]?.stringValue)
        let claims = try Self.claims(token)
        let issuer = try #require(claims.issuer)
        let path = issuer.dropFirst("https://auth.example".count)
        #expect(path.hasPrefix("/identity-pools/"))
        let metadata = try await bench.cognito.execute(.get, path + "/.well-known/openid-configuration").json
        #expect(metadata["issuer"]?.stringValue == issuer)
        let location = try #require(metadata["jwks_uri"]?.stringValue).dropFirst("https://auth.example".count)
        let set = try await bench.cognito.execute(.get, String(location)).json
        let keys = try VerificationKeySet(JWKSet(parsing: set.serialized()))
        let parsed = try ParsedJWS(parsing: Array(token.utf8))
        try parsed.verify(with: try keys.key(for: parsed.header))
        #expect(claims.subject == id && claims.audience == [pool])
        #expect(claims["amr"] == ["authenticated", "accounts.google.com", "accounts.google.com:1"])
        #expect(claims.expiresAt == CognitoBench.now + .minutes(10))
        // The keys are nobody else's.
        let poolKeys = try await bench.cognito.execute(
            .get, "/\(bench.cognito.poolID)/.well-known/jwks.json"
        ).json
        let names = set.names("keys", "kid")
        #expect(Set(names).isDisjoint(with: poolKeys.names("keys", "kid")) && !names.isEmpty)
        let asUser = try await bench.cognito.send("GetUser", ["AccessToken": .string(token)])
        #expect(asUser.exception == "NotAuthorizedException")
        let name = "cognito-idp.us-east-1.amazonaws.com/" + bench.cognito.poolID
        for (provider, token) in [(name, token), (Bench.googleName, token)] {
            let logins: JSONObject = ["IdentityPoolId": .string(pool), "Logins": [provider: .string(token)]]
            #expect(try await bench.said("GetId", logins, signed: false).hasPrefix("NotAuthorizedException"))
        }
        #expect(try await bench.cognito.execute(.get, "/identity-pools/none/.well-known/jwks.json").status >= 400)
    }

    @Test("R12.7 a pool that has switched the classic flow off, or maps roles, gives no token to apps")
    func classic() async throws {
        let bench = try await Bench()
        func said(_ members: JSONObject, mapped: Bool = false) async throws -> String {
            let pool = try await bench.pool(members)
            if mapped {
                _ = try await bench.done(
                    "SetIdentityPoolRoles",
                    [
                        "IdentityPoolId": .string(pool), "Roles": [:],
                        "RoleMappings": [
                            "accounts.google.com": ["Type": "Token", "AmbiguousRoleResolution": "Deny"]
                        ],
                    ])
            }
            let id = try await bench.id(Bench.google("1"), in: pool)
            return try await bench.said(
                "GetOpenIdToken", ["IdentityId": .string(id), "Logins": .object(Bench.google("1"))], signed: false)
        }
        #expect(try await said([:]) == "status 200", "as the service, where nothing is said")
        #expect(
            try await said(["AllowClassicFlow": false])
                == "InvalidParameterException: Basic (classic) flow is not enabled, please use enhanced flow.")
        #expect(
            try await said(["AllowClassicFlow": true], mapped: true)
                == "InvalidParameterException: Basic (classic) flow is not supported with RoleMappings, please use "
                + "enhanced flow.")
    }

    @Test("H-2 H-6 R12.7 credentials are asked for by the identity's token, for the role that the pool says")
    func credentials() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let id = try await bench.id(Bench.google("1"), in: pool)
        let call: JSONObject = ["IdentityId": .string(id), "Logins": .object(Bench.google("1"))]
        let answer = try await bench.done("GetCredentialsForIdentity", call, signed: false)
        #expect(
            answer["Credentials"] == [
                "AccessKeyId": "ASIA1", "SecretKey": "s", "SessionToken": "t",
                "Expiration": .integer(CognitoBench.now.seconds + 3600),
            ])
        let request = try #require(bench.credentials.requests.last)
        #expect(request.role == Bench.role)
        #expect(try Self.claims(request.token.reveal()).subject == id)
        let configuration =
            "InvalidIdentityPoolConfigurationException: Invalid identity pool configuration. Check assigned IAM roles "
            + "for this pool."
        for (failure, wanted) in [
            (.refused, configuration), (.notConfigured, configuration), (.unavailable, "ExternalServiceException"),
        ] as [(TemporaryCredentialFailure, String)] {
            bench.credentials.fail(with: failure)
            #expect(try await bench.said("GetCredentialsForIdentity", call, signed: false).hasPrefix(wanted))
        }
        bench.credentials.fail(with: nil)
        let without = try await bench.pool(roles: false)
        let roleless = try await bench.id(Bench.google("1"), in: without)
        #expect(
            try await bench.said(
                "GetCredentialsForIdentity", call.merging(["IdentityId": .string(roleless)]), signed: false)
                == configuration)
    }

    @Test("H-2 R12.7 rules over claims and the token's own roles say for which role")
    func roles() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let admin = "arn:aws:iam::123456789012:role/admins"
        let mapping: JSONObject = [
            "Type": "Rules", "AmbiguousRoleResolution": "Deny",
            "RulesConfiguration": [
                "Rules": [
                    ["Claim": "hd", "MatchType": "Equals", "Value": "example.com", "RoleARN": .string(admin)]
                ]
            ],
        ]
        let set: JSONObject = [
            "IdentityPoolId": .string(pool), "Roles": ["authenticated": .string(Bench.role)],
            "RoleMappings": ["accounts.google.com": .object(mapping)],
        ]
        _ = try await bench.done("SetIdentityPoolRoles", set)
        #expect(try await bench.done("GetIdentityPoolRoles", ["IdentityPoolId": .string(pool)]) == set)
        let id = try await bench.id(Bench.google("1"), in: pool)
        func call(_ claims: JSONObject, _ more: JSONObject = [:]) async throws -> String {
            let call: JSONObject = ["IdentityId": .string(id), "Logins": .object(Bench.google("1", claims))]
            return try await bench.said("GetCredentialsForIdentity", call.merging(more), signed: false)
        }
        #expect(try await call(["hd": "example.com"]) == "status 200")
        #expect(bench.credentials.requests.last?.role == admin)
        #expect(try await call(["hd": "example.org"]).hasPrefix("NotAuthorizedException"))
        #expect(
            try await call(["hd": "example.com"], ["CustomRoleArn": .string(Bench.role)]).hasPrefix("NotAuthorized"))
        #expect(bench.credentials.requests.count == 1)
    }

    @Test("R12.7 tags of the logins' claims stand in the token where whoever gives access reads them")
    func tags() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let map: JSONObject = [
            "IdentityPoolId": .string(pool), "IdentityProviderName": "accounts.google.com", "UseDefaults": false,
            "PrincipalTags": ["domain": "hd"],
        ]
        #expect(try await bench.done("SetPrincipalTagAttributeMap", map) == map)
        let name = map.merging(["UseDefaults": .null, "PrincipalTags": .null])
        #expect(try await bench.done("GetPrincipalTagAttributeMap", name) == map)
        let logins = Bench.google("1", ["hd": "example.com"])
        let id = try await bench.id(logins, in: pool)
        let answer = try await bench.done(
            "GetOpenIdToken", ["IdentityId": .string(id), "Logins": .object(logins)], signed: false)
        let claims = try Self.claims(answer["Token"]?.stringValue ?? "")
        #expect(
            claims["https://aws.amazon.com/tags"]
                == ["principal_tags": ["domain": ["example.com"]], "transitive_tag_keys": []])
    }
}
