// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import CognitoAPI

extension JSONValue {
    // `nil` by itself would be the JSON value.
    fileprivate var nonNull: JSONValue? { isNull ? Optional<JSONValue>.none : self }
}

@Suite("Cognito: tokens and the documents they are verified by")
struct TokenClaimsTests {
    struct Opened {
        var header: JSONObject
        var claims: JSONObject
    }

    /// Reads a token by the keys that the pool publishes.
    static func open(_ token: String?, _ bench: CognitoBench, _ pool: String) async throws -> Opened {
        let text = try #require(token)
        let parsed = try ParsedJWS(parsing: text.utf8)
        let keys = try await bench.execute(.get, "/\(pool)/.well-known/jwks.json")
        let set = try JWKSet(parsing: keys.json.serialized())
        let verifiers = try VerificationKeySet(set)
        try parsed.verify(with: verifiers.key(for: parsed.header), allowing: [.rs256])
        let header = try #require(Base64URL.decode(String(text.prefix { $0 != "." })))
        return Opened(header: try JSONObject(parsing: header), claims: try JSONObject(parsing: parsed.payload))
    }

    static let common: Set<String> = [
        "sub", "iss", "iat", "exp", "auth_time", "jti", "origin_jti", "event_id", "token_use",
    ]

    @Test("D-4 an access token has the claims of the table, and no attributes")
    func access() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        let reply = try await client.password("alice", CognitoBench.password)
        let token = try await Self.open(reply.result("AccessToken"), bench, client.pool)
        #expect(Set(token.header.names) == ["alg", "kid"])
        #expect(token.header["alg"]?.stringValue == "RS256")
        let claims = token.claims
        #expect(Set(claims.names) == Self.common.union(["client_id", "username", "scope"]))
        #expect(claims["token_use"]?.stringValue == "access")
        #expect(claims["client_id"]?.stringValue == client.id)
        #expect(claims["username"]?.stringValue == "alice")
        #expect(claims["scope"]?.stringValue == "aws.cognito.signin.user.admin")
        #expect(claims["iss"]?.stringValue == "https://auth.example/" + client.pool)
        #expect(claims["iat"]?.integerValue == bench.now.seconds)
        #expect(claims["auth_time"]?.integerValue == bench.now.seconds)
        #expect(claims["exp"]?.integerValue == bench.now.seconds + 3600)
    }

    @Test("D-4 an ID token has the claims of the table, with flags as booleans")
    func id() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        let reply = try await client.password("alice", CognitoBench.password)
        let id = try await Self.open(reply.result("IdToken"), bench, client.pool).claims
        let access = try await Self.open(reply.result("AccessToken"), bench, client.pool).claims
        #expect(Set(id.names) == Self.common.union(["aud", "cognito:username", "email", "email_verified"]))
        #expect(id["aud"]?.stringValue == client.id)
        #expect(id["token_use"]?.stringValue == "id")
        #expect(id["cognito:username"]?.stringValue == "alice")
        #expect(id["email"]?.stringValue == "alice@example.com")
        #expect(id["email_verified"]?.boolValue == true)
        for name in ["sub", "iss", "iat", "exp", "auth_time", "origin_jti", "event_id"] {
            #expect(id[name] == access[name], "\(name)")
        }
        #expect(id["jti"] != access["jti"])
        for name in ["jti", "origin_jti", "event_id", "sub"] {
            #expect(id[name]?.stringValue?.utf8.count == 36, "\(name)")
        }
    }

    @Test("D-4 attributes of the user, custom ones as text, and only those that the client may read")
    func attributes() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "Schema": [["Name": "level", "AttributeDataType": "Number", "Mutable": true]]
        ])
        func signIn(_ settings: JSONObject) async throws -> JSONObject {
            let members: JSONObject = ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]]
            let id = try await bench.clientID(members.merging(settings), pool: pool)
            let reply = try await SignInClient(bench: bench, pool: pool, id: id)
                .password("dave", CognitoBench.password)
            return try await Self.open(reply.result("IdToken"), bench, pool).claims
        }
        try await SignInPasswordTests.addUser("dave", bench, pool)
        _ = try await bench.done(
            "AdminUpdateUserAttributes",
            [
                "UserPoolId": .string(pool), "Username": "dave",
                "UserAttributes": [
                    ["Name": "custom:level", "Value": "7"], ["Name": "name", "Value": "Dave"],
                    ["Name": "address", "Value": "1 Main Street"], ["Name": "updated_at", "Value": "1780000000"],
                ],
            ])
        let all = try await signIn([:])
        #expect(all["custom:level"] == .string("7"))
        #expect(all["name"] == .string("Dave"))
        #expect(all["address"] == .object(["formatted": "1 Main Street"]))
        #expect(all["updated_at"] == .integer(1_780_000_000))
        let some = try await signIn(["ReadAttributes": ["name"]])
        #expect(some["name"] == .string("Dave"))
        for name in ["email", "email_verified", "custom:level", "address"] { #expect(some[name] == nil) }
    }

    @Test("D-4 groups are in both tokens, the one of lowest precedence first, and absent where there are none")
    func groups() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        for (name, precedence) in [("zebra", 1), ("admin", 5)] as [(String, Int64)] {
            _ = try await bench.done(
                "CreateGroup",
                [
                    "UserPoolId": .string(client.pool), "GroupName": .string(name),
                    "Precedence": .integer(precedence),
                ])
            _ = try await bench.done(
                "AdminAddUserToGroup",
                ["UserPoolId": .string(client.pool), "GroupName": .string(name), "Username": "alice"])
        }
        let reply = try await client.password("alice", CognitoBench.password)
        for name in ["AccessToken", "IdToken"] {
            let claims = try await Self.open(reply.result(name), bench, client.pool).claims
            #expect(claims["cognito:groups"] == .array(["zebra", "admin"]))
        }
    }

    @Test(
        "H-2 R12.7 an ID token has the roles of the user's groups, and prefers that of the group that goes first alone")
    func roles() async throws {
        let (bench, client) = try await SignInPasswordTests.world()
        func role(_ name: String) -> JSONValue { .string("arn:aws:iam::123456789012:role/" + name) }
        for (name, precedence, wanted) in [
            ("a", 5, role("a")), ("b", 1, role("b")), ("c", 1, nil), ("d", 1, .null),
        ] as [(String, Int64, JSONValue?)] {
            var group: JSONObject = [
                "UserPoolId": .string(client.pool), "GroupName": .string(name), "Precedence": .integer(precedence),
            ]
            // The third has none, and the fourth another, so that none goes first alone.
            if name != "c" { group["RoleArn"] = role(name) }
            _ = try await bench.done("CreateGroup", group)
            _ = try await bench.done(
                "AdminAddUserToGroup",
                ["UserPoolId": .string(client.pool), "GroupName": .string(name), "Username": "alice"])
            let reply = try await client.password("alice", CognitoBench.password)
            let claims = try await Self.open(reply.result("IdToken"), bench, client.pool).claims
            #expect(claims["cognito:preferred_role"] == (wanted ?? role("b")).nonNull, "\(name)")
            let access = try await Self.open(reply.result("AccessToken"), bench, client.pool).claims
            #expect(access["cognito:roles"] == nil)
            if name == "d" { #expect(claims["cognito:roles"] == [role("b"), role("d"), role("a")]) }
        }
    }

    @Test("D-4 a user without a name is called by their identifier")
    func nameless() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool(["UsernameAttributes": ["email"]])
        let id = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]], pool: pool)
        let client = SignInClient(bench: bench, pool: pool, id: id)
        try await bench.signedUp("erin@example.com", email: "erin@example.com", client: id, pool: pool)
        let reply = try await client.password("erin@example.com", CognitoBench.password)
        let access = try await Self.open(reply.result("AccessToken"), bench, pool).claims
        let idToken = try await Self.open(reply.result("IdToken"), bench, pool).claims
        #expect(access["username"] == access["sub"])
        #expect(idToken["cognito:username"] == access["sub"])
    }

    @Test("D-4 lifetimes are the client's own")
    func lifetimes() async throws {
        let (bench, client) = try await SignInPasswordTests.world([
            "AccessTokenValidity": 10, "IdTokenValidity": 20,
            "TokenValidityUnits": ["AccessToken": "minutes", "IdToken": "minutes", "RefreshToken": "days"],
        ])
        let reply = try await client.password("alice", CognitoBench.password)
        #expect(reply.json["AuthenticationResult"]?.objectValue?["ExpiresIn"]?.integerValue == 600)
        let access = try await Self.open(reply.result("AccessToken"), bench, client.pool).claims
        let id = try await Self.open(reply.result("IdToken"), bench, client.pool).claims
        #expect(access["exp"]?.integerValue == bench.now.seconds + 600)
        #expect(id["exp"]?.integerValue == bench.now.seconds + 1200)
    }

    @Test("D-4 the key set has two RSA keys, public parts only, before anybody has signed in")
    func keySet() async throws {
        let bench = try await CognitoBench()
        let reply = try await bench.execute(.get, "/\(bench.poolID)/.well-known/jwks.json")
        #expect(reply.status == 200)
        #expect(reply.headers[.contentType] == "application/json")
        let keys = reply.json["keys"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(keys.count == 2)
        for key in keys {
            #expect(Set(key.names) == ["alg", "e", "kid", "kty", "n", "use"])
            #expect(key["alg"]?.stringValue == "RS256")
            #expect(key["kty"]?.stringValue == "RSA")
            #expect(key["use"]?.stringValue == "sig")
        }
    }

    @Test("D-4 the configuration names the issuer as tokens do, and the keys at this server")
    func configuration() async throws {
        for style in CognitoDialect.Settings.IssuerStyle.allCases {
            let bench = try await CognitoBench { $0.issuerStyle = style }
            let json = try await bench.execute(.get, "/\(bench.poolID)/.well-known/openid-configuration").json
            #expect(json["issuer"]?.stringValue == bench.dialect.issuer(of: bench.directory))
            #expect(
                json["jwks_uri"]?.stringValue == "https://auth.example/\(bench.poolID)/.well-known/jwks.json")
            #expect(json["id_token_signing_alg_values_supported"] == .array(["RS256"]))
            let client = SignInClient(
                bench: bench, pool: bench.poolID,
                id: try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]]))
            try await bench.signedUp("alice", email: "alice@example.com", client: client.id)
            let reply = try await client.password("alice", CognitoBench.password)
            let claims = try await Self.open(reply.result("AccessToken"), bench, bench.poolID).claims
            #expect(claims["iss"] == json["issuer"])
        }
    }

    @Test("D-4 documents of a pool that is not there are not there")
    func unknownPool() async throws {
        let bench = try await CognitoBench()
        for pool in ["us-east-1_0000000000000000000000", "eu-west-1_abc", "x"] {
            #expect(try await bench.execute(.get, "/\(pool)/.well-known/jwks.json").status >= 400)
        }
    }
}
