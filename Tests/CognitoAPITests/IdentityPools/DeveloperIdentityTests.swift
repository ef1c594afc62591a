// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import CognitoAPI

@Suite("Developer identities") struct DeveloperIdentityTests {
    private typealias Bench = IdentityPoolBench

    private static func token(_ bench: Bench, _ pool: String, _ members: JSONObject) async throws -> JSONObject {
        let call: JSONObject = ["IdentityPoolId": .string(pool)]
        return try await bench.done("GetOpenIdTokenForDeveloperIdentity", call.merging(members))
    }

    @Test("R12.7 the operator's programs vouch for a user, whose app is given credentials by the token")
    func vouching() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let answer = try await Self.token(
            bench, pool, ["Logins": ["login.acme": "ada"], "TokenDuration": 86_400, "PrincipalTags": ["team": "red"]])
        let id = answer["IdentityId"]?.stringValue ?? ""
        let token = answer["Token"]?.stringValue ?? ""
        let claims = try JWTClaims(parsing: ParsedJWS(parsing: Array(token.utf8)).payload)
        #expect(claims["amr"] == ["authenticated", "login.acme", .string("login.acme:us-east-1:\(pool):ada")])
        #expect(claims.expiresAt == CognitoBench.now + .days(1))
        let tags = claims["https://aws.amazon.com/tags"]?.objectValue?["principal_tags"]
        #expect(tags == ["team": ["red"]])
        let again = try await Self.token(bench, pool, ["Logins": ["login.acme": "ada"]])
        #expect(again["IdentityId"]?.stringValue == id)
        func credentials(_ token: String, of id: String) async throws -> String {
            try await bench.said(
                "GetCredentialsForIdentity",
                ["IdentityId": .string(id), "Logins": ["cognito-identity.amazonaws.com": .string(token)]], signed: false
            )
        }
        #expect(try await credentials(token, of: id) == "status 200")
        #expect(bench.credentials.requests.last?.role == Bench.role)
        let other = try await bench.id(Bench.google("1"), in: pool)
        #expect(try await credentials(token, of: other).hasPrefix("NotAuthorizedException"), "another's identity")
        let parts = token.split(separator: ".")
        #expect(try await credentials("\(parts[0]).\(parts[1]).AAAA", of: id).hasPrefix("NotAuthorizedException"))
        #expect(try await credentials(JudgingProviders.token("1"), of: id).hasPrefix("NotAuthorizedException"))
        let elsewhere = try await Self.token(bench, try await bench.pool(), ["Logins": ["login.acme": "ada"]])
        #expect(
            try await credentials(elsewhere["Token"]?.stringValue ?? "", of: id).hasPrefix("NotAuthorizedException"),
            "another pool's")
        bench.cognito.advance(by: .days(1))
        #expect(
            try await credentials(token, of: id).hasPrefix("NotAuthorizedException: Invalid login token. Token exp"))
    }

    @Test("R12.7 a user of the operator's is linked, looked up, merged and unlinked")
    func life() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        let google = try await bench.id(Bench.google("1"), in: pool)
        let linked = try await Self.token(
            bench, pool, ["IdentityId": .string(google), "Logins": ["login.acme": "ada"]])
        #expect(linked["IdentityId"]?.stringValue == google)
        let bob = try await Self.token(bench, pool, ["Logins": ["login.acme": "bob"]])["IdentityId"] ?? .null
        let named: JSONObject = ["IdentityPoolId": .string(pool)]
        #expect(
            try await bench.said(
                "GetOpenIdTokenForDeveloperIdentity",
                named.merging(["IdentityId": bob, "Logins": ["login.acme": "ada"]])
            ).hasPrefix("DeveloperUserAlreadyRegisteredException"))
        func lookUp(_ members: JSONObject) async throws -> JSONObject {
            try await bench.done("LookupDeveloperIdentity", named.merging(members))
        }
        let found = try await lookUp(["DeveloperUserIdentifier": "ada"])
        #expect(found == ["IdentityId": .string(google), "DeveloperUserIdentifierList": ["ada"]])
        #expect(try await lookUp(["IdentityId": bob])["DeveloperUserIdentifierList"] == ["bob"])
        #expect(
            try await bench.said(
                "LookupDeveloperIdentity", named.merging(["IdentityId": bob, "DeveloperUserIdentifier": "ada"])
            ).hasPrefix("ResourceConflictException"))
        let merge: JSONObject = [
            "SourceUserIdentifier": "bob", "DestinationUserIdentifier": "ada", "DeveloperProviderName": "login.acme",
        ]
        #expect(
            try await bench.done("MergeDeveloperIdentities", named.merging(merge))["IdentityId"] == .string(google))
        let both = try await lookUp(["DeveloperUserIdentifier": "bob", "MaxResults": 1])
        #expect(both["IdentityId"] == .string(google) && both["DeveloperUserIdentifierList"] == ["ada"])
        let rest = try await lookUp([
            "DeveloperUserIdentifier": "bob", "MaxResults": 1, "NextToken": both["NextToken"] ?? .null,
        ])
        #expect(rest["DeveloperUserIdentifierList"] == ["bob"] && rest["NextToken"] == nil)
        let unlink = named.merging([
            "IdentityId": .string(google), "DeveloperProviderName": "login.acme", "DeveloperUserIdentifier": "bob",
        ])
        #expect(try await bench.done("UnlinkDeveloperIdentity", unlink).isEmpty)
        #expect(try await bench.said("UnlinkDeveloperIdentity", unlink).hasPrefix("ResourceNotFoundException"))
        let anew = try await Self.token(bench, pool, ["Logins": ["login.acme": "bob"]])["IdentityId"]
        #expect(anew != bob && anew != .string(google))
    }

    @Test("R12.7 two users of one provider are not merged, and nobody has more than twenty logins")
    func limits() async throws {
        let bench = try await Bench()
        let pool = try await bench.pool()
        for name in ["ada", "bob"] {
            let id = try await bench.id(Bench.google(name), in: pool)
            _ = try await Self.token(bench, pool, ["IdentityId": .string(id), "Logins": ["login.acme": .string(name)]])
        }
        let merge: JSONObject = [
            "IdentityPoolId": .string(pool), "SourceUserIdentifier": "bob", "DestinationUserIdentifier": "ada",
            "DeveloperProviderName": "login.acme",
        ]
        #expect(try await bench.said("MergeDeveloperIdentities", merge).hasPrefix("ResourceConflictException"))
        let id = try await Self.token(bench, pool, ["Logins": ["login.acme": "n0"]])["IdentityId"] ?? .null
        for index in 1..<20 {
            _ = try await Self.token(bench, pool, ["IdentityId": id, "Logins": ["login.acme": .string("n\(index)")]])
        }
        #expect(
            try await bench.said(
                "GetOpenIdTokenForDeveloperIdentity",
                ["IdentityPoolId": .string(pool), "IdentityId": id, "Logins": ["login.acme": "n20"]]
            ).hasPrefix("ResourceConflictException"))
    }
}
