// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("Custom challenges as hooks") struct CustomAuthTests {
    private static let names = ["DefineAuthChallenge", "CreateAuthChallenge", "VerifyAuthChallengeResponse"]
    static let secret = "sesame-4711"
    static let used = "NotAuthorizedException: Invalid session for the user."

    /// - Parameter flows: of the client, beside those that every test needs.
    static func bench(
        _ receiver: HookReceiver, _ names: [String] = Self.names, flows: [String] = []
    ) async throws -> (bench: CognitoBench, app: SignInClient) {
        let secret = try WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        let bench = try await CognitoBench(
            hooks: Hooks(
                blocking: try names.map {
                    BlockingHook(
                        name: $0, moment: try #require(CognitoHookForm.hooks[$0]), dialect: CognitoDialect.name,
                        directory: "default", secrets: [secret], caller: receiver)
                }))
        let all = ["ALLOW_CUSTOM_AUTH", "ALLOW_USER_PASSWORD_AUTH"] + flows
        let id = try await bench.clientID(["ExplicitAuthFlows": .array(all.map { .string($0) })])
        try await bench.signedUp("ada", email: "ada@example.com", client: id)
        return (bench, SignInClient(bench: bench, pool: bench.poolID, id: id))
    }

    static func kind(_ received: HookReceiver.Received) -> String {
        received.object["triggerSource"]?.stringValue ?? ""
    }

    static func request(_ received: HookReceiver.Received) -> JSONObject {
        received.object["request"]?.objectValue ?? [:]
    }

    /// A secret word is asked for until it is said, or three were wrong.
    private static let program = HookReceiver.answering { received in
        let answered = request(received)["session"]?.arrayValue ?? []
        switch kind(received) {
        case "DefineAuthChallenge_Authentication":
            if answered.last?.objectValue?["challengeResult"] == .bool(true) { return ["issueTokens": true] }
            return answered.count < 3 ? ["challengeName": "CUSTOM_CHALLENGE"] : ["failAuthentication": true]
        case "CreateAuthChallenge_Authentication":
            return [
                "publicChallengeParameters": ["question": "The word?"],
                "privateChallengeParameters": ["word": .string(secret)], "challengeMetadata": "WORD",
            ]
        default:
            let word = request(received)["privateChallengeParameters"]?.objectValue?["word"]
            return ["answerCorrect": .bool(word != nil && word == request(received)["challengeAnswer"])]
        }
    }

    private static func begin(_ app: SignInClient, _ name: String = "ada") async throws -> CognitoBench.Reply {
        try await app.initiate("CUSTOM_AUTH", ["USERNAME": .string(name)])
    }

    static func answer(
        _ app: SignInClient, _ asked: CognitoBench.Reply, _ word: String = Self.secret, _ name: String = "ada"
    ) async throws -> CognitoBench.Reply {
        try await app.respond(
            "CUSTOM_CHALLENGE", ["USERNAME": .string(name), "ANSWER": .string(word)], session: asked.session)
    }

    @Test("R14.6 programs define, make and judge the challenges, and what an answer is judged by reaches no client")
    func whole() async throws {
        let receiver = Self.program()
        let (_, app) = try await Self.bench(receiver)
        let asked = try await Self.begin(app)
        #expect(asked.challenge == "CUSTOM_CHALLENGE", "\(asked.refusal)")
        #expect(
            asked.json["ChallengeParameters"] == ["question": "The word?", "USERNAME": "ada"] as JSONValue)
        #expect(!String(decoding: asked.json.serialized(), as: UTF8.self).contains(Self.secret))
        let again = try await Self.answer(app, asked, "abracadabra")
        #expect(again.challenge == "CUSTOM_CHALLENGE" && again.session != asked.session)
        // An answer is one's last word, a right one too.
        #expect(try await Self.answer(app, asked).refusal == Self.used)
        let done = try await Self.answer(app, again)
        #expect(done.result("AccessToken") != nil, "\(done.refusal)")
        #expect(try await Self.answer(app, again).refusal == Self.used)
        let define = "DefineAuthChallenge_Authentication"
        let create = "CreateAuthChallenge_Authentication"
        let verify = "VerifyAuthChallengeResponse_Authentication"
        #expect(receiver.received.map(Self.kind) == [define, create, verify, define, create, verify, define])
        let last = Self.request(try #require(receiver.received.last))
        #expect(last["userNotFound"] == .bool(false))
        #expect(last["userAttributes"]?.objectValue?["email"]?.stringValue == "ada@example.com")
        #expect(
            last["session"] == [
                ["challengeName": "CUSTOM_CHALLENGE", "challengeResult": false, "challengeMetadata": "WORD"],
                ["challengeName": "CUSTOM_CHALLENGE", "challengeResult": true, "challengeMetadata": "WORD"],
            ])
    }

    @Test("R14.2 of 12 right answers to one challenge at once, one is judged")
    func raced() async throws {
        let receiver = Self.program()
        let (_, app) = try await Self.bench(receiver)
        let asked = try await Self.begin(app)
        let replies = try await withThrowingTaskGroup(of: CognitoBench.Reply.self) { group in
            for _ in 0..<12 { group.addTask { try await Self.answer(app, asked) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { $0.result("AccessToken") != nil } == 1)
        #expect(replies.count { $0.refusal == Self.used } == 11)
        #expect(receiver.received.count { Self.kind($0).hasPrefix("Verify") } == 1)
    }

    @Test("R14.6 of a name that nobody has the programs are asked alike, and whatever they say nobody comes in")
    func nobody() async throws {
        let receiver = Self.program()
        let (_, app) = try await Self.bench(receiver)
        let (known, unknown) = (try await Self.begin(app), try await Self.begin(app, "eve"))
        #expect(unknown.challenge == known.challenge)
        #expect(known.session?.utf8.count == unknown.session?.utf8.count)
        let asked = Self.request(try #require(receiver.received.last))
        #expect(asked["userNotFound"] == .bool(true) && asked["userAttributes"] == [:] as JSONValue)
        #expect(receiver.received.last?.object["userName"]?.stringValue == "eve")
        let reply = try await Self.answer(app, unknown, Self.secret, "eve")
        #expect(reply.refusal == "NotAuthorizedException: Incorrect username or password.")
        // Nor is one's challenge another's to answer.
        #expect(try await Self.answer(app, known, Self.secret, "eve").refusal == Self.used)
    }

    @Test("R14.6 the third wrong answer ends it where the program says so, and the tenth whatever it says")
    func bounded() async throws {
        let (_, app) = try await Self.bench(Self.program())
        var asked = try await Self.begin(app)
        for _ in 0..<2 { asked = try await Self.answer(app, asked, "wrong") }
        #expect(asked.challenge == "CUSTOM_CHALLENGE")
        let ended = try await Self.answer(app, asked, "wrong")
        #expect(ended.refusal == "NotAuthorizedException: Incorrect username or password.")

        let endless = HookReceiver.answering { received in
            switch Self.kind(received) {
            case "DefineAuthChallenge_Authentication": ["challengeName": "CUSTOM_CHALLENGE"]
            case "CreateAuthChallenge_Authentication": [:]
            default: ["answerCorrect": true]
            }
        }
        let receiver = endless()
        let (_, second) = try await Self.bench(receiver)
        var reply = try await Self.begin(second)
        while reply.challenge != nil { reply = try await Self.answer(second, reply) }
        #expect(reply.exception == "NotAuthorizedException")
        #expect(receiver.received.count { Self.kind($0).hasPrefix("Create") } == CustomSignIn.most)
    }

    @Test(
        "R14.6 a definition or a challenge that is none lets nobody in, nor one that asks nothing",
        arguments: [
            ["issueTokens": true], [:], ["challengeName": "PASSWORD_VERIFIER"], ["issueTokens": "yes"],
        ] as [JSONObject])
    func malformed(_ response: JSONObject) async throws {
        let (_, app) = try await Self.bench(HookReceiver.answering { _ in response }())
        let reply = try await Self.begin(app)
        #expect(reply.exception == "UnexpectedLambdaException" && reply.session == nil, "\(reply.json)")
    }

    @Test("R14.6 a second factor is asked for all the same")
    func secondFactor() async throws {
        let (bench, app) = try await Self.bench(Self.program())
        let token = try #require(try await app.password("ada", CognitoBench.password).result("AccessToken"))
        let holder: JSONObject = ["AccessToken": .string(token)]
        let key = try await bench.done("AssociateSoftwareToken", holder)["SecretCode"]?.stringValue
        let code = try FactorWorld.App(key).code(at: bench.now)
        _ = try await bench.done("VerifySoftwareToken", holder.merging(["UserCode": .string(code)]))
        let reply = try await Self.answer(app, try await Self.begin(app))
        #expect(reply.challenge == "SOFTWARE_TOKEN_MFA" && reply.result("AccessToken") == nil, "\(reply.refusal)")
    }

    @Test("R14.6 a program's challenge proves no address: who has not confirmed theirs is refused as after a password")
    func unconfirmed() async throws {
        let (bench, app) = try await Self.bench(Self.program())
        _ = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(app.id), "Username": "bob", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "bob@example.com"]],
            ])
        let asked = try await Self.begin(app, "bob")
        let refused = try await Self.answer(app, asked, Self.secret, "bob")
        #expect(refused.exception == "UserNotConfirmedException" && refused.result("AccessToken") == nil)
        let byPassword = try await app.password("bob", CognitoBench.password)
        #expect(refused.refusal == byPassword.refusal)
        let code = try await bench.code(to: "bob@example.com", kind: "confirmation")
        _ = try await bench.done(
            "ConfirmSignUp",
            ["ClientId": .string(app.id), "Username": "bob", "ConfirmationCode": .string(code)])
        let again = try await Self.begin(app, "bob")
        #expect(try await Self.answer(app, again, Self.secret, "bob").result("AccessToken") != nil)
    }

    @Test("R14.6 a challenge is its client's, for its time, until the user's tokens are taken back")
    func whose() async throws {
        let (bench, app) = try await Self.bench(Self.program())
        let other = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_CUSTOM_AUTH"]])
        let elsewhere = SignInClient(bench: bench, pool: bench.poolID, id: other)
        let asked = try await Self.begin(app)
        #expect(try await Self.answer(elsewhere, asked).refusal == Self.used)
        bench.advance(by: .minutes(4))
        #expect(
            try await Self.answer(app, asked).refusal
                == "NotAuthorizedException: Invalid session for the user, session is expired.")
        let second = try await Self.begin(app)
        bench.advance(by: .seconds(2))
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": "ada"]
        _ = try await bench.done(
            "AdminSetUserPassword", named.merging(["Password": "Another-horse-8-battery", "Permanent": true]))
        #expect(try await Self.answer(app, second).exception == "NotAuthorizedException")
    }

    @Test(
        "R14.2 a challenge ends with whatever ends the user's codes, also within the second in which it was given",
        arguments: [
            ("AdminSetUserPassword", ["Password": "Another-horse-8-battery", "Permanent": true]),
            (
                "AdminUpdateUserAttributes",
                ["UserAttributes": [["Name": "phone_number", "Value": "+4915112345678"]]]
            ),
        ] as [(String, JSONObject)])
    func ended(operation: String, change: JSONObject) async throws {
        let (bench, app) = try await Self.bench(Self.program())
        let asked = try await Self.begin(app)
        let named: JSONObject = ["UserPoolId": .string(bench.poolID), "Username": "ada"]
        _ = try await bench.done(operation, named.merging(change))
        let reply = try await Self.answer(app, asked)
        #expect(reply.exception == "NotAuthorizedException" && reply.result("AccessToken") == nil)
        #expect(try await Self.answer(app, try await Self.begin(app)).result("AccessToken") != nil)
    }

    @Test("R14.6 without all three programs, without verifiers, or for a client without the flow, it is refused")
    func unsupported() async throws {
        let (_, app) = try await Self.bench(Self.program(), Array(Self.names.dropLast()))
        #expect(try await Self.begin(app).exception == "UnsupportedOperationException")
        let (bench, whole) = try await Self.bench(Self.program())
        let proving = try await whole.initiate(
            "CUSTOM_AUTH", ["USERNAME": "ada", "CHALLENGE_NAME": "SRP_A", "SRP_A": "abcdef"])
        #expect(proving.exception == "UnsupportedOperationException")
        let id = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        let plain = SignInClient(bench: bench, pool: bench.poolID, id: id)
        #expect(
            try await Self.begin(plain).refusal
                == "InvalidParameterException: CUSTOM_AUTH flow not enabled for this client")
    }
}

extension HookReceiver {
    /// Makes programs that write `response` into the event and return it.
    static func answering(
        _ response: @escaping @Sendable (Received) -> JSONObject
    ) -> @Sendable () -> HookReceiver {
        {
            HookReceiver { received throws(HookCallFailure) in
                var event = received.object
                event["response"] = .object(response(received))
                return HookReply(event)
            }
        }
    }
}
