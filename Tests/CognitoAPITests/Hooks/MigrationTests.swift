// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("UserMigration as a hook") struct MigrationTests {
    private static func bench(
        _ receiver: HookReceiver, directory: (inout DirectorySettings) -> Void = { _ in }
    ) async throws -> CognitoBench {
        let secret = try WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        return try await CognitoBench(
            hooks: Hooks(blocking: [
                BlockingHook(
                    name: "UserMigration", moment: .migration, dialect: CognitoDialect.name, directory: "default",
                    secrets: [secret], caller: receiver)
            ]), directory: directory)
    }

    private static let attributes: JSONObject = [
        "email": "ada@example.com", "email_verified": "true", "name": "Ada Lovelace", "custom:plan": "pro",
    ]

    /// A directory that knows one user and their password.
    private static func knows(_ name: String, _ response: JSONObject) -> HookReceiver {
        HookReceiver { received throws(HookCallFailure) in
            var event = received.object
            let password = event["request"]?.objectValue?["password"]
            guard event["userName"]?.stringValue == name,
                password == .null || password?.stringValue == CognitoBench.password
            else { return HookReply(["errorMessage": "Bad password"], status: 400) }
            event["response"] = .object(response)
            return HookReply(event)
        }
    }

    private static func confirmed(_ changes: JSONObject = [:]) -> JSONObject {
        [
            "userAttributes": .object(attributes.merging(changes)), "finalUserStatus": "CONFIRMED",
            "messageAction": "SUPPRESS",
        ]
    }

    private static func app(_ bench: CognitoBench, _ members: JSONObject = [:]) async throws -> SignInClient {
        let flows: JSONObject = ["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH"]]
        let id = try await bench.clientID(flows.merging(members))
        return SignInClient(bench: bench, pool: bench.poolID, id: id)
    }

    private static func users(_ bench: CognitoBench) async throws -> Int {
        let id = bench.directory.id
        return try await bench.ports.store.read { try $0.userCount(in: id) }
    }

    @Test(
        "R14.6 whom nobody here is called like is asked about once, and has from then on what the answer says and no more"
    )
    func signIn() async throws {
        let receiver = Self.knows("ada", Self.confirmed())
        let bench = try await Self.bench(receiver)
        let app = try await Self.app(bench)
        let reply = try await bench.send(
            "InitiateAuth",
            [
                "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(app.id), "ClientMetadata": ["from": "web"],
                "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
            ], signed: false)
        #expect(reply.json["AuthenticationResult"] != nil, "\(reply.json)")
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "UserMigration_Authentication")
        #expect(event["userName"]?.stringValue == "ada")
        let request = event["request"]?.objectValue
        #expect(request?["password"]?.stringValue == CognitoBench.password)
        #expect(request?["validationData"] == ["from": "web"] && request?["userAttributes"] == nil)
        #expect(event["response"]?.objectValue?["finalUserStatus"] == .null)
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(user["UserStatus"] == "CONFIRMED" && user.attribute("email_verified") == "true")
        #expect(user.attribute("name") == "Ada Lovelace" && user.attribute("custom:plan") == "pro")
        // Theirs from now on: nobody is asked, whether it is right or wrong.
        #expect(try await app.password("ada", CognitoBench.password).json["AuthenticationResult"] != nil)
        #expect(try await app.password("ada", "Wrong-horse-9-battery").exception == "NotAuthorizedException")
        #expect(try await app.srp("ada", CognitoBench.password).json["AuthenticationResult"] != nil)
        #expect(receiver.received.count == 1)
    }

    @Test("R14.6 an address is verified only where the answer says so")
    func unverified() async throws {
        let bench = try await Self.bench(Self.knows("ada", Self.confirmed(["email_verified": "false"])))
        let app = try await Self.app(bench)
        #expect(try await app.password("ada", CognitoBench.password).json["AuthenticationResult"] != nil)
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(user.attribute("email_verified") == "false")
    }

    @Test(
        "R14.6 a no is answered as a wrong password, counts as one, and under the lock that it leads to nobody is asked"
    )
    func refused() async throws {
        let receiver = Self.knows("ada", Self.confirmed())
        let bench = try await Self.bench(receiver)
        let app = try await Self.app(bench)
        for _ in 0..<5 {
            let wrong = try await app.password("ada", "Wrong-horse-9-battery")
            #expect(wrong.exception == "NotAuthorizedException" && wrong.message == "Incorrect username or password.")
        }
        #expect(receiver.received.count == 5)
        let locked = try await app.password("ada", CognitoBench.password)
        #expect(locked.exception == "NotAuthorizedException" && receiver.received.count == 5)
        #expect(try await Self.users(bench) == 0)
        bench.advance(by: .hours(2))
        #expect(try await app.password("ada", CognitoBench.password).json["AuthenticationResult"] != nil)
    }

    @Test(
        "R14.6 what is no user of the pool, or asks for what is not done here, is no answer, and makes nobody",
        arguments: [
            ["userAttributes": .null], ["userAttributes": ["email": "no address"], "finalUserStatus": "CONFIRMED"],
            ["userAttributes": ["unheard": "x"], "finalUserStatus": "CONFIRMED"],
            ["userAttributes": ["name": "Ada"], "finalUserStatus": "CONFIRMED", "forceAliasCreation": true],
            ["userAttributes": ["name": "Ada"], "finalUserStatus": "CONFIRMED", "enableSMSMFA": true],
            ["userAttributes": ["name": "Ada"], "finalUserStatus": "ARCHIVED"],
            ["userAttributes": ["name": "Ada", "username": "bob"], "finalUserStatus": "CONFIRMED"],
        ] as [JSONObject])
    func malformed(_ response: JSONObject) async throws {
        let bench = try await Self.bench(Self.knows("ada", response))
        let reply = try await Self.app(bench).password("ada", CognitoBench.password)
        #expect(reply.exception == "UnexpectedLambdaException", "\(reply.json)")
        #expect(try await Self.users(bench) == 0)
    }

    @Test("R14.6 an address that somebody has proved is not given to whom the program says it is of")
    func taken() async throws {
        let receiver = Self.knows("bob", Self.confirmed())
        let bench = try await Self.bench(receiver)
        let app = try await Self.app(bench)
        try await bench.signedUp("ada", email: "ada@example.com", client: app.id)
        let reply = try await app.password("bob", CognitoBench.password)
        #expect(reply.message == "Incorrect username or password." && receiver.received.count == 1)
        #expect(try await Self.users(bench) == 1)
        let code = try await bench.send("ForgotPassword", ["ClientId": .string(app.id), "Username": "bob"])
        #expect(code.status == 200)
        #expect(try await bench.message(to: "ada@example.com", kind: "recovery") == nil)
    }

    @Test(
        "R10.4 R14.6 where names are told apart by their case, whoever is called as another but for it is brought along"
    )
    func anotherCase() async throws {
        let bench = try await Self.bench(Self.knows("ADA", Self.confirmed())) {
            $0.signUp.caseSensitiveNames = true
        }
        let app = try await Self.app(bench)
        _ = try await bench.signedUp("ada", email: "other@example.com", client: app.id)
        #expect(try await app.password("ADA", CognitoBench.password).json["AuthenticationResult"] != nil)
        let users = try await bench.done("ListUsers", ["UserPoolId": .string(bench.poolID)])
        #expect(Set(users.names("Users", "Username")) == ["ADA", "ada"])
    }

    @Test("R14.6 of 12 sign-ins at once of somebody who is brought along, all come in, and one makes the account")
    func raced() async throws {
        let bench = try await Self.bench(Self.knows("ada", Self.confirmed()))
        let app = try await Self.app(bench)
        let replies = try await withThrowingTaskGroup(of: CognitoBench.Reply.self) { group in
            for _ in 0..<12 { group.addTask { try await app.password("ada", CognitoBench.password) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.json["AuthenticationResult"] != nil })
        #expect(try await Self.users(bench) == 1)
    }

    @Test(
        "R14.6 who has forgotten a password is asked about without one, and gets a code where the answer proves an address"
    )
    func forgotten() async throws {
        let receiver = Self.knows("ada", ["userAttributes": .object(Self.attributes)])
        let bench = try await Self.bench(receiver)
        let app = try await Self.app(bench)
        func forgot(_ name: String) async throws -> CognitoBench.Reply {
            try await bench.send("ForgotPassword", ["ClientId": .string(app.id), "Username": .string(name)])
        }
        let (known, unknown) = (try await forgot("ada"), try await forgot("nobody"))
        #expect(known.status == 200 && unknown.status == 200)
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "UserMigration_ForgotPassword")
        #expect(event["request"]?.objectValue?["password"] == .null)
        #expect(try await Self.users(bench) == 1)
        _ = try await bench.done(
            "ConfirmForgotPassword",
            [
                "ClientId": .string(app.id), "Username": "ada", "Password": "Another-horse-8-battery",
                "ConfirmationCode": .string(try await bench.code(to: "ada@example.com", kind: "recovery")),
            ])
        #expect(try await app.password("ada", "Another-horse-8-battery").json["AuthenticationResult"] != nil)
    }

    @Test(
        "R14.6 without a final status the account has no password, and a client that may know who is there is told so")
    func reset() async throws {
        let response: JSONObject = ["userAttributes": .object(Self.attributes), "finalUserStatus": "RESET_REQUIRED"]
        let bench = try await Self.bench(Self.knows("ada", response))
        let telling = try await Self.app(bench, ["PreventUserExistenceErrors": "LEGACY"])
        let first = try await telling.password("ada", CognitoBench.password)
        #expect(first.exception == "PasswordResetRequiredException")
        #expect(try await telling.password("eve", CognitoBench.password).exception == "UserNotFoundException")
        let forgot = try await bench.send("ForgotPassword", ["ClientId": .string(telling.id), "Username": "eve"])
        #expect(forgot.exception == "UserNotFoundException")
        let hiding = try await Self.app(bench)
        #expect(try await hiding.password("ada", CognitoBench.password).message == "Incorrect username or password.")
    }
}
