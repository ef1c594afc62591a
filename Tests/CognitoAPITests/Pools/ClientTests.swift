// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("App clients") struct ClientTests {
    @Test("A client is registered with the service's defaults, described, listed and deleted")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool = JSONValue.string(bench.poolID)
        let made = try await bench.makeClient(["GenerateSecret": true])
        let id = try #require(made["ClientId"]?.stringValue)
        #expect(id.utf8.count == 26 && id.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0) })
        #expect((24...64).contains(made["ClientSecret"]?.stringValue?.utf8.count ?? 0))
        #expect(
            made["ExplicitAuthFlows"] == ["ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_CUSTOM_AUTH"])
        #expect(made["RefreshTokenValidity"] == 30)
        #expect(made["AccessTokenValidity"] == nil)
        #expect(made["EnableTokenRevocation"] == true)
        #expect(made["PreventUserExistenceErrors"] == "LEGACY")
        #expect(made["AuthSessionValidity"] == 3)
        let named: JSONObject = ["UserPoolId": pool, "ClientId": .string(id)]
        #expect(try await bench.done("DescribeUserPoolClient", named)["UserPoolClient"]?.objectValue == made)
        let stored = try await bench.ports.store.read { try $0.client(ClientID(id)) }
        #expect(stored?.settings.flows == [.srp, .refresh])
        #expect(stored?.settings.accessTokenLifetime == 3600)
        #expect(stored?.settings.refreshTokenLifetime == 2_592_000)
        let list = try await bench.done("ListUserPoolClients", ["UserPoolId": pool])
        #expect(
            list["UserPoolClients"] == [["ClientId": .string(id), "UserPoolId": pool, "ClientName": "app"]])
        #expect(try await bench.done("DeleteUserPoolClient", named).isEmpty)
        let gone = try await bench.send("DescribeUserPoolClient", named)
        #expect(gone.exception == "ResourceNotFoundException")
        #expect(gone.message == "User pool client \(id) does not exist.")
        let used = try await bench.send(
            "ForgotPassword", ["ClientId": .string(id), "Username": "ada"], signed: false)
        #expect(used.exception == "ResourceNotFoundException")
    }

    @Test("With a client go the tokens that were issued through it")
    func deleted() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        let subject = try await bench.signedUp("ada", email: "ada@example.com", client: client)["UserSub"]
        let token = JSONValue.string(
            try await bench.accessToken(of: subject?.stringValue ?? "", client: client))
        #expect(try await bench.send("GetUser", ["AccessToken": token], signed: false).status == 200)
        _ = try await bench.done(
            "DeleteUserPoolClient", ["UserPoolId": .string(bench.poolID), "ClientId": .string(client)])
        let refused = try await bench.send("GetUser", ["AccessToken": token], signed: false)
        #expect(refused.message == "Access Token has been revoked")
    }

    @Test("What a client is given is kept, and an update that does not say it takes the default again")
    func update() async throws {
        let bench = try await CognitoBench()
        let made = try await bench.makeClient([
            "AccessTokenValidity": 5, "IdTokenValidity": 2, "RefreshTokenValidity": 90,
            "TokenValidityUnits": ["AccessToken": "minutes", "RefreshToken": "days"],
            "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
            "PreventUserExistenceErrors": "ENABLED", "EnableTokenRevocation": false,
            "CallbackURLs": ["https://a.example"],
            "RefreshTokenRotation": ["Feature": "ENABLED", "RetryGracePeriodSeconds": 30],
        ])
        #expect(made["AccessTokenValidity"] == 5 && made["IdTokenValidity"] == 2)
        #expect(made["TokenValidityUnits"] == ["AccessToken": "minutes", "RefreshToken": "days"])
        #expect(made["CallbackURLs"] == ["https://a.example"])
        #expect(made["RefreshTokenRotation"] == ["Feature": "ENABLED", "RetryGracePeriodSeconds": 30])
        let id = ClientID(made["ClientId"]?.stringValue ?? "")
        var stored = try #require(try await bench.ports.store.read { try $0.client(id) }).settings
        #expect(stored.accessTokenLifetime == 300 && stored.idTokenLifetime == 7200)
        #expect(stored.refreshTokenLifetime == 7_776_000)
        #expect(stored.flows == [.password, .refresh])
        #expect(stored.concealsUsers && !stored.revokesTokens && stored.rotatesRefreshTokens)
        #expect(stored.rotationGrace == 30)
        let changed = try await bench.done(
            "UpdateUserPoolClient",
            ["UserPoolId": .string(bench.poolID), "ClientId": .string(id.rawValue), "ClientName": "other"])
        #expect(changed["UserPoolClient"]?.objectValue?["ClientName"] == "other")
        #expect(changed["UserPoolClient"]?.objectValue?["RefreshTokenValidity"] == 30)
        stored = try #require(try await bench.ports.store.read { try $0.client(id) }).settings
        #expect(stored.flows == [.srp, .refresh] && stored.revokesTokens && !stored.rotatesRefreshTokens)
    }

    @Test("What the model does not take is refused")
    func refused() async throws {
        let bench = try await CognitoBench()
        let requests: [JSONObject] = [
            ["ExplicitAuthFlows": ["ALLOW_EVERYTHING"]],
            ["ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH", "USER_PASSWORD_AUTH"]],
            ["AccessTokenValidity": 1, "TokenValidityUnits": ["AccessToken": "minutes"]],
            ["AccessTokenValidity": 25], ["RefreshTokenValidity": 4000], ["IdTokenValidity": 0],
            ["AccessTokenValidity": 86_400, "TokenValidityUnits": ["AccessToken": "days"]],
            ["PreventUserExistenceErrors": "MAYBE"], ["AuthSessionValidity": 2], ["ClientName": ""],
            ["RefreshTokenRotation": ["Feature": "ENABLED", "RetryGracePeriodSeconds": 61]],
            ["ReadAttributes": ["nonsense"]], ["CallbackURLs": ["nonsense"]],
            ["CallbackURLs": ["http://app.example/"]], ["CallbackURLs": ["javascript:alert(1)"]],
            ["LogoutURLs": ["https://app.example/#x"]], ["AllowedOAuthFlows": ["authorization_code"]],
            ["AllowedOAuthFlows": ["refresh_token"]], ["AllowedOAuthFlows": ["everything"]],
            ["AllowedOAuthScopes": ["two words"]],
            ["ClientSecret": "abcdefghijklmnopqrstuvwxyz"],
        ]
        for request in requests {
            let body: JSONObject = ["UserPoolId": .string(bench.poolID), "ClientName": "x"]
            let reply = try await bench.send("CreateUserPoolClient", body.merging(request))
            #expect(reply.exception == "InvalidParameterException", "\(request)")
        }
        // A member of another type is not read at all.
        let untyped: JSONObject = [
            "UserPoolId": .string(bench.poolID), "ClientName": "x", "CallbackURLs": "https://a.example",
        ]
        #expect(try await bench.send("CreateUserPoolClient", untyped).exception == "SerializationException")
        #expect(
            try await bench.done("ListUserPoolClients", ["UserPoolId": .string(bench.poolID)]).names(
                "UserPoolClients", "ClientId"
            ).isEmpty)
    }

    @Test("R9.9 What a client may ask for is kept in fields of its own, and shown as it was given")
    func authorization() async throws {
        let bench = try await CognitoBench()
        _ = try await bench.done(
            "CreateResourceServer",
            [
                "UserPoolId": .string(bench.poolID), "Identifier": "api", "Name": "API",
                "Scopes": [["ScopeName": "read", "ScopeDescription": "Reads"]],
            ])
        let given: JSONObject = [
            "AllowedOAuthFlowsUserPoolClient": true, "AllowedOAuthFlows": ["implicit", "code"],
            "AllowedOAuthScopes": ["openid", "email", "api/read"],
            "CallbackURLs": ["https://b.example/", "https://a.example/", "app:/back"],
            "DefaultRedirectURI": "https://a.example/", "LogoutURLs": ["https://a.example/out"],
            "SupportedIdentityProviders": ["COGNITO"], "AuthSessionValidity": 5,
            "AnalyticsConfiguration": ["UserDataShared": false],
        ]
        let made = try await bench.makeClient(given)
        let id = ClientID(made["ClientId"]?.stringValue ?? "")
        let shown = try await bench.done(
            "DescribeUserPoolClient", ["UserPoolId": .string(bench.poolID), "ClientId": .string(id.rawValue)])
        for member in given.members {
            #expect(made[member.name] == member.value, "\(member.name)")
            #expect(shown["UserPoolClient"]?.objectValue?[member.name] == member.value, "\(member.name)")
        }
        let settings = try #require(try await bench.ports.store.read { try $0.client(id) }).settings
        #expect(settings.authorization.isEnabled && settings.authorization.grants == [.implicit, .code])
        #expect(settings.authorization.scopes == ["openid", "email", "api/read"])
        #expect(settings.authorization.redirectURIs == ["https://b.example/", "https://a.example/", "app:/back"])
        #expect(settings.authorization.defaultRedirectURI == "https://a.example/")
        #expect(settings.authorization.signOutURIs == ["https://a.example/out"])
        #expect(settings.authorization.identityProviders == ["COGNITO"])
        #expect(settings.stepLifetime == 300)
        #expect(
            Set(settings.attributes.names) == ["ExplicitAuthFlows", "RefreshTokenValidity", "AnalyticsConfiguration"])
    }

    @Test("R11.3 An update keeps what the service has no member for, and shows nothing that it has no name for")
    func registeredElsewhere() async throws {
        let bench = try await CognitoBench()
        let id = ClientID(try #require(try await bench.makeClient([:])["ClientId"]?.stringValue))
        try await bench.ports.store.write { tx in
            guard var client = try tx.client(id) else { return }
            client.settings.authorization.grants = [.code, .refreshToken, .deviceCode]
            client.settings.authorization.authentication = .publicClient
            client.settings.authorization.redirectURIs = ["https://a.example/"]
            client.settings.authorization.backchannelLogoutURI = "https://a.example/told"
            client.settings.authorization.idTokenAlgorithm = .es256
            client.settings.authorization.isDPoPBound = true
            client.settings.authorization.consent = .always
            try tx.update(client)
        }
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "ClientId": .string(id.rawValue)]
        let shown = try await bench.done("DescribeUserPoolClient", named)["UserPoolClient"]?.objectValue
        #expect(shown?["AllowedOAuthFlows"] == ["code"])
        let request = named.merging(["AllowedOAuthFlows": ["code"], "CallbackURLs": ["https://b.example/"]])
        let changed = try await bench.done("UpdateUserPoolClient", request)
        #expect(changed["UserPoolClient"]?.objectValue?["AllowedOAuthFlows"] == ["code"])
        let stored = try #require(try await bench.ports.store.read { try $0.client(id) }).settings.authorization
        #expect(stored.redirectURIs == ["https://b.example/"] && stored.grants == [.code, .refreshToken, .deviceCode])
        #expect(stored.authentication == .publicClient && stored.backchannelLogoutURI == "https://a.example/told")
        #expect(stored.idTokenAlgorithm == .es256 && stored.isDPoPBound && stored.consent == .always)
    }

    @Test("R9.9 A request may be proved by either of a client's two secrets, and by no other")
    func twoSecrets() async throws {
        let old = ClientSecret(Secret("old"), id: ClientSecretID("1"), createdAt: Instant(seconds: 0))
        let new = ClientSecret(Secret("new"), id: ClientSecretID("2"), createdAt: Instant(seconds: 1))
        let client = Client(
            id: ClientID("app"), directoryID: DirectoryID("d"), name: "", secrets: [new, old],
            createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0))
        for secret in ["old", "new"] {
            let hash = SecretHash.compute(username: "ada", client: client.id, secret: Secret(secret))
            try SecretHash.require(hash, username: "ada", client: client)
            try SecretHash.requireSecret(secret, client: client)
        }
        let wrong = SecretHash.compute(username: "ada", client: client.id, secret: Secret("third"))
        #expect(throws: WireError.self) { try SecretHash.require(wrong, username: "ada", client: client) }
        #expect(throws: WireError.self) { try SecretHash.requireSecret("third", client: client) }
    }

    @Test("A pool keeps verifiers for SRP once a client needs them, and not before")
    func verifiers() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool()
        func keepsVerifiers() async throws -> Bool {
            try await bench.directory(ofPool: pool).settings.password.srpEnabled
        }
        let client = try await bench.makeClient(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]], pool: pool)
        #expect(try await !keepsVerifiers())
        _ = try await bench.done(
            "UpdateUserPoolClient",
            [
                "UserPoolId": .string(pool), "ClientId": client["ClientId"] ?? .null,
                "ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH"],
            ])
        #expect(try await keepsVerifiers())
    }

    @Test("Former names of flows mean what they meant")
    func formerFlows() throws {
        func flows(_ names: [JSONValue]) throws -> Set<ClientFlow> {
            try AuthFlows.read(Input(["ExplicitAuthFlows": .array(names)])).flows
        }
        #expect(try flows(["USER_PASSWORD_AUTH"]) == [.password, .srp, .refresh])
        #expect(try flows(["ADMIN_NO_SRP_AUTH"]) == [.administrator, .srp, .refresh])
        #expect(try flows(["CUSTOM_AUTH_FLOW_ONLY"]) == [.refresh])
        #expect(try flows(["ALLOW_CUSTOM_AUTH"]).isEmpty)
        #expect(AuthFlows.names(of: [.srp, .refresh]) == ["ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"])
    }

    @Test("NIST SP 800-63B 5.2.8: a client with a secret proves it in every call of the public's")
    func secretHash() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.makeClient(["GenerateSecret": true, "PreventUserExistenceErrors": "ENABLED"])
        let id = client["ClientId"]?.stringValue ?? ""
        for operation in [
            "SignUp", "ConfirmSignUp", "ResendConfirmationCode", "ForgotPassword", "ConfirmForgotPassword",
        ] {
            var body: JSONObject = [
                "ClientId": .string(id), "Username": "ada", "Password": .string(CognitoBench.password),
                "ConfirmationCode": "123456", "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ]
            let missing = try await bench.send(operation, body, signed: false)
            #expect(missing.exception == "NotAuthorizedException", "\(operation)")
            #expect(missing.message == "Client \(id) is configured with secret but SECRET_HASH was not received")
            body["SecretHash"] = "kOPeHzvKtscBvBM4zlIffwOT074cplXWBq9MCfoDa4k="
            let wrong = try await bench.send(operation, body, signed: false)
            #expect(wrong.exception == "NotAuthorizedException", "\(operation)")
        }
    }
}
