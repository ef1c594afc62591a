// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("Triggers as hooks") struct HookTests {
    private static func bench(_ name: String, _ receiver: HookReceiver) async throws -> CognitoBench {
        let moment = try #require(CognitoHookForm.hooks[name])
        let secret = try WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        return try await CognitoBench(
            hooks: Hooks(blocking: [
                BlockingHook(
                    name: name, moment: moment, dialect: CognitoDialect.name, directory: "default", secrets: [secret],
                    caller: receiver)
            ]))
    }

    /// The event as a function returns it, with what it writes into the response.
    private static func answered(_ received: HookReceiver.Received, _ response: JSONObject) -> HookReply {
        var event = received.object
        event["response"] = .object(response)
        return HookReply(event)
    }

    private static func signUp(_ bench: CognitoBench, _ client: String) async throws -> CognitoBench.Reply {
        try await bench.send(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ], signed: false)
    }

    private static let flows: JSONObject = [
        "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
    ]

    @Test("R14.6 PreSignUp gets the service's event, and confirms or refuses in the service's words")
    func preSignUp() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            Self.answered(received, ["autoConfirmUser": true, "autoVerifyEmail": false, "autoVerifyPhone": false])
        }
        let bench = try await Self.bench("PreSignUp", receiver)
        let client = try await bench.clientID(Self.flows)
        let made = try await Self.signUp(bench, client)
        #expect(made.status == 200 && made.json["UserConfirmed"]?.boolValue == true)
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "PreSignUp_SignUp" && event["userName"]?.stringValue == "ada")
        #expect(event["userPoolId"]?.stringValue == bench.poolID)
        let attributes = event["request"]?.objectValue?["userAttributes"]?.objectValue
        #expect(attributes?["email"]?.stringValue == "ada@example.com")
        #expect(event["callerContext"]?.objectValue?["clientId"]?.stringValue == client)
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(user["UserStatus"] == "CONFIRMED" && user.attribute("email_verified") == "false")

        let refusing = HookReceiver { _ throws(HookCallFailure) in HookReply(["errorMessage": "Closed"], status: 400) }
        let second = try await Self.bench("PreSignUp", refusing)
        let refused = try await Self.signUp(second, try await second.clientID())
        #expect(refused.exception == "UserLambdaValidationException")
        #expect(refused.message == "PreSignUp failed with error Closed.")

        // An operator's user is asked about too; of the answer only a no counts, as the service has it.
        let invitation: JSONObject = [
            "Username": "bob", "MessageAction": "SUPPRESS", "TemporaryPassword": "Correct-horse-7-battery",
            "UserAttributes": [["Name": "email", "Value": "bob@example.com"]],
        ]
        let kept = try await second.send(
            "AdminCreateUser", invitation.merging(["UserPoolId": .string(second.poolID)]))
        #expect(kept.exception == "UserLambdaValidationException")
        #expect(refusing.received.last?.object["triggerSource"]?.stringValue == "PreSignUp_AdminCreateUser")
        let invited = try await bench.done(
            "AdminCreateUser", invitation.merging(["UserPoolId": .string(bench.poolID)]))
        #expect(invited["User"]?.objectValue?["UserStatus"] == "FORCE_CHANGE_PASSWORD")
    }

    @Test(
        "R14.6 PreTokenGeneration changes the tokens of its pool as its version may, and what the service keeps it keeps"
    )
    func preTokenGeneration() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            Self.answered(
                received,
                [
                    "claimsAndScopeOverrideDetails": [
                        "idTokenGeneration": [
                            "claimsToAddOrOverride": ["plan": ["name": "pro"]], "claimsToSuppress": ["email"],
                        ],
                        "accessTokenGeneration": [
                            "claimsToAddOrOverride": ["tier": 3], "scopesToAdd": ["shop/read"],
                        ],
                        "groupOverrideDetails": ["groupsToOverride": ["editors"]],
                    ]
                ])
        }
        let bench = try await Self.bench("PreTokenGeneration_V2", receiver)
        let client = try await bench.clientID(Self.flows)
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(bench.poolID), "Username": "ada", "MessageAction": "SUPPRESS",
                "UserAttributes": [
                    ["Name": "email", "Value": "ada@example.com"], ["Name": "email_verified", "Value": "true"],
                ],
            ])
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(bench.poolID), "Username": "ada", "Password": .string(CognitoBench.password),
                "Permanent": true,
            ])
        let app = SignInClient(bench: bench, pool: bench.poolID, id: client)
        let reply = try await app.password("ada", CognitoBench.password)
        let result = try #require(reply.json["AuthenticationResult"]?.objectValue, "\(reply.json)")
        let access = try await TokenClaimsTests.open(result["AccessToken"]?.stringValue, bench, bench.poolID).claims
        let id = try await TokenClaimsTests.open(result["IdToken"]?.stringValue, bench, bench.poolID).claims
        #expect(access["tier"]?.integerValue == 3 && access["scope"]?.stringValue?.hasSuffix(" shop/read") == true)
        #expect(id["plan"]?.objectValue?["name"]?.stringValue == "pro" && id["email"] == nil && id["tier"] == nil)
        #expect(access["cognito:groups"] == ["editors"] && id["cognito:groups"] == ["editors"])
        #expect(receiver.received.first?.object["triggerSource"]?.stringValue == "TokenGeneration_Authentication")
        #expect(receiver.received.first?.object["version"]?.stringValue == "2")
    }

    @Test("R14.6 PostConfirmation is told of a confirmation and of a recovery, and its no undoes neither")
    func postConfirmation() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            if received.object["request"]?.objectValue?["clientMetadata"]?.objectValue?["fail"] != nil {
                return HookReply(["errorMessage": "No profile"], status: 400)
            }
            return Self.answered(received, [:])
        }
        let bench = try await Self.bench("PostConfirmation", receiver)
        let client = try await bench.clientID(Self.flows)
        _ = try await Self.signUp(bench, client)
        #expect(receiver.received.isEmpty)
        let confirmation: JSONObject = [
            "ClientId": .string(client), "Username": "ada", "ClientMetadata": ["fail": "yes"],
            "ConfirmationCode": .string(try await bench.code(to: "ada@example.com", kind: "confirmation")),
        ]
        let wrong = try await bench.send("ConfirmSignUp", confirmation.merging(["ConfirmationCode": "000000"]))
        #expect(wrong.exception == "CodeMismatchException" && receiver.received.isEmpty)
        let confirmed = try await bench.send("ConfirmSignUp", confirmation)
        #expect(confirmed.exception == "UserLambdaValidationException")
        #expect(confirmed.message == "PostConfirmation failed with error No profile.")
        let user = try await bench.done("AdminGetUser", ["UserPoolId": .string(bench.poolID), "Username": "ada"])
        #expect(user["UserStatus"] == "CONFIRMED")
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "PostConfirmation_ConfirmSignUp")
        let attributes = event["request"]?.objectValue?["userAttributes"]?.objectValue
        #expect(attributes?["cognito:user_status"]?.stringValue == "CONFIRMED")
        #expect(attributes?["email_verified"]?.stringValue == "true" && event["response"] == .object([:]))

        _ = try await bench.done("ForgotPassword", ["ClientId": .string(client), "Username": "ada"])
        _ = try await bench.done(
            "ConfirmForgotPassword",
            [
                "ClientId": .string(client), "Username": "ada", "Password": "Another-horse-8-battery",
                "ConfirmationCode": .string(try await bench.code(to: "ada@example.com", kind: "recovery")),
            ])
        let sources = receiver.received.map { $0.object["triggerSource"]?.stringValue }
        #expect(sources == ["PostConfirmation_ConfirmSignUp", "PostConfirmation_ConfirmForgotPassword"])
        // Whom an administrator makes has signed up for nothing; whom one confirms has.
        _ = try await bench.done("AdminCreateUser", ["UserPoolId": .string(bench.poolID), "Username": "bob"])
        #expect(receiver.received.count == 2)
        _ = try await bench.done(
            "SignUp",
            ["ClientId": .string(client), "Username": "eve", "Password": .string(CognitoBench.password)])
        _ = try await bench.done("AdminConfirmSignUp", ["UserPoolId": .string(bench.poolID), "Username": "eve"])
        #expect(receiver.received.count == 3)
    }

    @Test("R14.6 PostAuthentication is told once the whole sign-in is done, and whom it refuses is given nothing")
    func postAuthentication() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            received.object["userName"]?.stringValue == "eve"
                ? HookReply(["errorMessage": "Not today"], status: 400) : Self.answered(received, [:])
        }
        let bench = try await Self.bench("PostAuthentication", receiver)
        let client = try await bench.clientID(Self.flows)
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        let eve = try await bench.signedUp("eve", email: "eve@example.com", client: client)
        #expect(receiver.received.isEmpty)
        let app = SignInClient(bench: bench, pool: bench.poolID, id: client)
        #expect(try await app.password("ada", "Wrong-horse-9-battery").exception == "NotAuthorizedException")
        #expect(receiver.received.isEmpty)
        let reply = try await app.password("ada", CognitoBench.password)
        let result = try #require(reply.json["AuthenticationResult"]?.objectValue)
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "PostAuthentication_Authentication")
        #expect(event["request"]?.objectValue?["newDeviceUsed"] == .bool(false))
        // A refresh is no sign-in.
        let renewed = try await app.initiate(
            "REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": try #require(result["RefreshToken"])])
        #expect(renewed.status == 200 && receiver.received.count == 1)

        let refused = try await app.password("eve", CognitoBench.password)
        #expect(refused.exception == "UserLambdaValidationException" && refused.json["AuthenticationResult"] == nil)
        #expect(refused.message == "PostAuthentication failed with error Not today.")
        let id = UserID(eve["UserSub"]?.stringValue ?? "")
        let directory = bench.directory.id
        let sessions = try await bench.ports.store.read { try $0.sessions(of: id, in: directory) }
        #expect(sessions.allSatisfy { $0.revokedAt != nil })
    }

    @Test("R14.6 what a client says to triggers is handed on to those that the service hands it to, and must be texts")
    func notes() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in Self.answered(received, [:]) }
        let bench = try await Self.bench("PreSignUp", receiver)
        let client = try await bench.clientID(Self.flows)
        let signUp: JSONObject = [
            "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
            "ValidationData": [["Name": "invite", "Value": "x1"]], "ClientMetadata": ["from": "web"],
        ]
        _ = try await bench.done("SignUp", signUp)
        let request = receiver.received.first?.object["request"]?.objectValue
        #expect(request?["validationData"] == ["invite": "x1"] && request?["clientMetadata"] == ["from": "web"])
        let wrong = try await bench.send("SignUp", signUp.merging(["ClientMetadata": ["from": 1]]))
        #expect(wrong.exception == "SerializationException")
    }

    @Test(
        "R14.6 a claim or scope that is the service's own is not the trigger's: no token is given",
        arguments: [
            ["accessTokenGeneration": ["claimsToAddOrOverride": ["sub": "x"]]],
            ["accessTokenGeneration": ["claimsToSuppress": ["exp"]]],
            ["idTokenGeneration": ["claimsToAddOrOverride": ["cognito:username": "x"]]],
            ["accessTokenGeneration": ["scopesToAdd": ["aws.cognito.signin.user.admin"]]],
            ["accessTokenGeneration": ["scopesToAdd": ["two words"]]],
            ["groupOverrideDetails": ["groupsToOverride": "x"]],
        ] as [JSONObject])
    func reserved(_ details: JSONObject) throws {
        let error = #expect(throws: AuthError.self) {
            try TokenOverrides(["claimsAndScopeOverrideDetails": .object(details)], isSecond: true)
        }
        #expect(error?.code == .hookFailed)
    }
}
