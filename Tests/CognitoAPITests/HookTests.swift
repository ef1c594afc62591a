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
