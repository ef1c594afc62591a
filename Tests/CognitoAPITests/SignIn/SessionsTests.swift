// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("Cognito: refreshing and signing out")
struct SessionsTests {
    static let revoked = "NotAuthorizedException: Refresh Token has been revoked"
    static let invalid = "NotAuthorizedException: Invalid Refresh Token"

    static func world(
        _ settings: JSONObject = [:]
    ) async throws -> (bench: CognitoBench, client: SignInClient, signedIn: CognitoBench.Reply) {
        let (bench, client) = try await SignInPasswordTests.world(settings)
        return (bench, client, try await client.password("alice", CognitoBench.password))
    }

    static func refresh(
        _ client: SignInClient, _ token: String?, _ more: JSONObject = [:], flow: String = "REFRESH_TOKEN_AUTH"
    ) async throws -> CognitoBench.Reply {
        try await client.initiate(flow, (["REFRESH_TOKEN": .string(token ?? "")] as JSONObject).merging(more))
    }

    static func exchange(_ client: SignInClient, _ token: String?) async throws -> CognitoBench.Reply {
        var body: JSONObject = ["ClientId": .string(client.id), "RefreshToken": .string(token ?? "")]
        body["ClientSecret"] = client.secret.map { .string($0) }
        return try await client.bench.send("GetTokensFromRefreshToken", body, signed: false)
    }

    static func revoke(_ client: SignInClient, _ token: String?) async throws -> CognitoBench.Reply {
        var body: JSONObject = ["ClientId": .string(client.id), "Token": .string(token ?? "")]
        body["ClientSecret"] = client.secret.map { .string($0) }
        return try await client.bench.send("RevokeToken", body, signed: false)
    }

    static func user(_ bench: CognitoBench, _ token: String?) async throws -> CognitoBench.Reply {
        try await bench.send("GetUser", ["AccessToken": .string(token ?? "")], signed: false)
    }

    @Test(
        "D-4 Y-FR4 a refresh gives new tokens of the same session, and no refresh token",
        arguments: ["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"])
    func refresh(flow: String) async throws {
        let (bench, client, signedIn) = try await Self.world()
        bench.advance(by: .minutes(30))
        let reply = try await Self.refresh(client, signedIn.result("RefreshToken"), flow: flow)
        #expect(
            Set(reply.json["AuthenticationResult"]?.objectValue?.names ?? [])
                == ["AccessToken", "IdToken", "ExpiresIn", "TokenType"], "\(reply.refusal)")
        let before = try await TokenClaimsTests.open(signedIn.result("AccessToken"), bench, client.pool).claims
        let after = try await TokenClaimsTests.open(reply.result("AccessToken"), bench, client.pool).claims
        for name in ["origin_jti", "auth_time", "sub", "client_id"] { #expect(before[name] == after[name]) }
        for name in ["jti", "event_id", "iat", "exp"] { #expect(before[name] != after[name]) }
        #expect(try await Self.user(bench, reply.result("AccessToken")).status == 200)
    }

    @Test("D-4 the other operation gives the same, with the client's secret itself")
    func exchange() async throws {
        let (_, client, signedIn) = try await Self.world(["GenerateSecret": true])
        let reply = try await Self.exchange(client, signedIn.result("RefreshToken"))
        #expect(reply.json.names == ["AuthenticationResult"], "\(reply.refusal)")
        #expect(reply.result("RefreshToken") == nil)
        #expect(reply.result("AccessToken") != nil)
        for secret in [nil, "wrong"] {
            var stranger = client
            stranger.secret = secret
            #expect(
                try await Self.exchange(stranger, signedIn.result("RefreshToken")).exception
                    == "NotAuthorizedException")
        }
    }

    @Test("V10.4.5 a rotating refresh token is exchanged by its own operation, and reuse ends the session")
    func rotation() async throws {
        let (bench, client, signedIn) = try await Self.world([
            "RefreshTokenRotation": ["Feature": "ENABLED", "RetryGracePeriodSeconds": 0]
        ])
        let first = signedIn.result("RefreshToken")
        #expect(
            try await Self.refresh(client, first).refusal
                == "InvalidParameterException: REFRESH_TOKEN_AUTH flow not enabled for this client")
        let second = try await Self.exchange(client, first).result("RefreshToken")
        #expect(second != nil && second != first)
        // The parent of the live token may be presented again: its answer may have been lost.
        #expect(try await Self.exchange(client, first).result("RefreshToken") == second)
        bench.advance(by: .minutes(5))
        let third = try await Self.exchange(client, second).result("RefreshToken")
        bench.advance(by: .minutes(5))
        #expect(third != nil && third != second)
        #expect(try await Self.exchange(client, first).exception == "RefreshTokenReuseException")
        #expect(try await Self.exchange(client, third).status == 400)
        #expect(
            try await Self.user(bench, signedIn.result("AccessToken")).refusal
                == "NotAuthorizedException: Access Token has been revoked")
    }

    @Test("D-4 a hash of any of the user's names refreshes, and another does not")
    func secretHash() async throws {
        let (bench, client, signedIn) = try await Self.world(["GenerateSecret": true])
        let token = signedIn.result("RefreshToken")
        let sub =
            try await TokenClaimsTests.open(signedIn.result("AccessToken"), bench, client.pool)
            .claims["sub"]?.stringValue ?? ""
        for name in ["alice", sub, "alice@example.com"] {
            #expect(try await Self.refresh(client, token, client.hash(name)).status == 200)
        }
        #expect(try await Self.refresh(client, token, client.hash("bob")).exception == "NotAuthorizedException")
        #expect(try await Self.refresh(client, token).exception == "NotAuthorizedException")
        #expect(try await Self.refresh(client, "nonsense", client.hash("alice")).refusal == Self.invalid)
    }

    @Test("R62 a refresh token is its own client's and its own pool's")
    func otherClient() async throws {
        let (bench, client, signedIn) = try await Self.world()
        let token = signedIn.result("RefreshToken")
        let flows: JSONObject = ["ExplicitAuthFlows": ["ALLOW_REFRESH_TOKEN_AUTH"]]
        let sibling = SignInClient(
            bench: bench, pool: client.pool, id: try await bench.clientID(flows, pool: client.pool))
        let stranger = SignInClient(bench: bench, pool: bench.poolID, id: try await bench.clientID(flows))
        for other in [sibling, stranger] {
            #expect(try await Self.refresh(other, token).refusal == Self.invalid)
            #expect(try await Self.exchange(other, token).refusal == Self.invalid)
        }
        #expect(try await Self.refresh(client, "nonsense").refusal == Self.invalid)
        #expect(try await Self.revoke(sibling, token).exception == "UnauthorizedException")
        #expect(try await Self.revoke(stranger, token).status == 200)
        #expect(try await Self.refresh(client, token).status == 200)
    }

    @Test("C-8 a refresh token ends with its term")
    func expiry() async throws {
        let (bench, client, signedIn) = try await Self.world([
            "RefreshTokenValidity": 60, "TokenValidityUnits": ["RefreshToken": "minutes"],
        ])
        bench.advance(by: .minutes(61))
        #expect(
            try await Self.refresh(client, signedIn.result("RefreshToken")).refusal
                == "NotAuthorizedException: Refresh Token has expired")
    }

    @Test("D-4 a revoked refresh token takes its access tokens along, and revoking again is no error")
    func revoke() async throws {
        let (bench, client, signedIn) = try await Self.world()
        let other = try await client.password("alice", CognitoBench.password)
        let token = signedIn.result("RefreshToken")
        for _ in 0..<2 {
            let reply = try await Self.revoke(client, token)
            #expect(reply.status == 200 && reply.json.isEmpty)
        }
        #expect(try await Self.revoke(client, "never-issued").status == 200)
        #expect(try await Self.refresh(client, token).refusal == Self.revoked)
        #expect(try await Self.exchange(client, token).refusal == Self.revoked)
        #expect(
            try await Self.user(bench, signedIn.result("AccessToken")).refusal
                == "NotAuthorizedException: Access Token has been revoked")
        #expect(try await Self.user(bench, other.result("AccessToken")).status == 200)
    }

    @Test("D-4 what is no refresh token, a wrong secret, and a client without revocation are refused")
    func revokeRefusals() async throws {
        let (_, client, signedIn) = try await Self.world(["GenerateSecret": true])
        #expect(
            try await Self.revoke(client, signedIn.result("AccessToken")).exception == "UnsupportedTokenTypeException")
        var stranger = client
        stranger.secret = "wrong"
        #expect(
            try await Self.revoke(stranger, signedIn.result("RefreshToken")).exception == "UnauthorizedException")
        let (_, fixed, held) = try await Self.world(["EnableTokenRevocation": false])
        #expect(
            try await Self.revoke(fixed, held.result("RefreshToken")).exception == "UnsupportedOperationException")
    }

    @Test("G-13.2 signing out everywhere ends every session, and the tokens of all of them")
    func everywhere() async throws {
        let (bench, client, first) = try await Self.world()
        let second = try await client.password("alice", CognitoBench.password)
        let reply = try await bench.send(
            "GlobalSignOut", ["AccessToken": .string(first.result("AccessToken") ?? "")], signed: false)
        #expect(reply.status == 200 && reply.json.isEmpty)
        for signedIn in [first, second] {
            #expect(try await Self.refresh(client, signedIn.result("RefreshToken")).refusal == Self.revoked)
            #expect(
                try await Self.user(bench, signedIn.result("AccessToken")).refusal
                    == "NotAuthorizedException: Access Token has been revoked")
        }
        #expect(
            try await bench.send(
                "GlobalSignOut", ["AccessToken": .string(first.result("AccessToken") ?? "")], signed: false
            ).exception == "NotAuthorizedException")
        bench.advance(by: .seconds(1))
        let again = try await client.password("alice", CognitoBench.password)
        #expect(try await Self.user(bench, again.result("AccessToken")).status == 200)
    }

    @Test("R67 a disabled user refreshes nothing")
    func disabled() async throws {
        let (bench, client, signedIn) = try await Self.world()
        _ = try await bench.done("AdminDisableUser", ["UserPoolId": .string(client.pool), "Username": "alice"])
        #expect(try await Self.refresh(client, signedIn.result("RefreshToken")).exception == "NotAuthorizedException")
    }

    @Test("R8.18 setting the clock back keeps nobody out", arguments: [TimeSpan.hours(-1), .days(-1)])
    func clockSetBack(step: TimeSpan) async throws {
        let (bench, client, signedIn) = try await Self.world()
        bench.advance(by: step)
        #expect(try await Self.user(bench, signedIn.result("AccessToken")).status == 200)
        let refreshed = try await Self.refresh(client, signedIn.result("RefreshToken"))
        #expect(try await Self.user(bench, refreshed.result("AccessToken")).status == 200)
        let claims = try await TokenClaimsTests.open(refreshed.result("AccessToken"), bench, client.pool).claims
        #expect(claims["auth_time"]?.integerValue == bench.now.seconds)
        let again = try await client.password("alice", CognitoBench.password)
        #expect(try await Self.user(bench, again.result("AccessToken")).status == 200)
    }
}
