// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("A password before custom challenges") struct CustomPasswordTests {
    private static let wrong = SignInPasswordTests.wrong

    /// The password is asked for first of whoever begins with it, and then a secret word, once.
    private static let program = HookReceiver.answering { received in
        let request = CustomAuthTests.request(received)
        let last = request["session"]?.arrayValue?.last?.objectValue
        switch CustomAuthTests.kind(received) {
        case "DefineAuthChallenge_Authentication":
            switch last?["challengeName"] {
            case "SRP_A": return ["challengeName": "PASSWORD_VERIFIER"]
            case "CUSTOM_CHALLENGE":
                return last?["challengeResult"] == .bool(true) ? ["issueTokens": true] : ["failAuthentication": true]
            default: return ["challengeName": "CUSTOM_CHALLENGE"]
            }
        case "CreateAuthChallenge_Authentication":
            return ["privateChallengeParameters": ["word": .string(CustomAuthTests.secret)]]
        default:
            let word = request["privateChallengeParameters"]?.objectValue?["word"]
            return ["answerCorrect": .bool(word != nil && word == request["challengeAnswer"])]
        }
    }

    private static func bench(
        _ receiver: HookReceiver = Self.program()
    ) async throws -> (bench: CognitoBench, app: SignInClient) {
        try await CustomAuthTests.bench(receiver, flows: ["ALLOW_USER_SRP_AUTH"])
    }

    /// `CUSTOM_AUTH` that begins with the password: what is asked, and what its answer is computed from.
    private static func begin(
        _ app: SignInClient, _ name: String = "ada", _ more: JSONObject = ["CHALLENGE_NAME": "SRP_A"]
    ) async throws -> (asked: CognitoBench.Reply, begun: SignInClient.Begun) {
        let (secret, publicValue) = try SignInClient.ephemeral()
        let parameters: JSONObject = [
            "USERNAME": .string(name), "SRP_A": .string(SignInClient.digits(publicValue)),
        ]
        let asked = try await app.initiate("CUSTOM_AUTH", parameters.merging(more))
        let shown = asked.json["ChallengeParameters"]?.objectValue ?? [:]
        return (asked, SignInClient.Begun(parameters: shown, secret: secret, publicValue: publicValue))
    }

    private static func prove(
        _ app: SignInClient, _ begun: SignInClient.Begun, session: String?, _ password: String = CognitoBench.password
    ) async throws -> CognitoBench.Reply {
        try await app.respond("PASSWORD_VERIFIER", try app.responses(begun, password), session: session)
    }

    private static func session(_ received: HookReceiver.Received?) -> JSONValue? {
        received.flatMap { CustomAuthTests.request($0)["session"] }
    }

    private static func answered(_ name: String, _ isRight: Bool = true) -> JSONValue {
        ["challengeName": .string(name), "challengeResult": .bool(isRight), "challengeMetadata": .null]
    }

    @Test("R14.6 the password is proved first, the programs are told of it, and both make one sign-in")
    func whole() async throws {
        let receiver = Self.program()
        let (bench, app) = try await Self.bench(receiver)
        let (asked, begun) = try await Self.begin(app)
        #expect(asked.challenge == "PASSWORD_VERIFIER" && asked.session != nil, "\(asked.refusal)")
        #expect(
            Set(begun.parameters.names) == ["SALT", "SRP_B", "SECRET_BLOCK", "USERNAME", "USER_ID_FOR_SRP"])
        #expect(Self.session(receiver.received.last) == [Self.answered("SRP_A")])
        let then = try await Self.prove(app, begun, session: asked.session)
        #expect(then.challenge == "CUSTOM_CHALLENGE" && then.result("AccessToken") == nil, "\(then.refusal)")
        #expect(
            Self.session(receiver.received.last) == [Self.answered("SRP_A"), Self.answered("PASSWORD_VERIFIER")])
        let done = try await CustomAuthTests.answer(app, then)
        let token = try #require(done.result("AccessToken"), "\(done.refusal)")
        #expect(
            receiver.received.map { CustomAuthTests.kind($0).prefix(6) }
                == ["Define", "Define", "Create", "Verify", "Define"])
        #expect(
            Self.session(receiver.received.last)
                == [
                    Self.answered("SRP_A"), Self.answered("PASSWORD_VERIFIER"), Self.answered("CUSTOM_CHALLENGE"),
                ])
        #expect(try await bench.done("GetUser", ["AccessToken": .string(token)])["Username"] == "ada")
    }

    @Test(
        "R14.6 a wrong password is refused as everywhere, nobody hears of it, and the right one goes on after it, once")
    func wrong() async throws {
        let receiver = Self.program()
        let (_, app) = try await Self.bench(receiver)
        let (asked, begun) = try await Self.begin(app)
        let refused = try await Self.prove(app, begun, session: asked.session, "Wrong-horse-7")
        #expect(refused.refusal == Self.wrong && receiver.received.count == 1)
        #expect(try await Self.prove(app, begun, session: asked.session).challenge == "CUSTOM_CHALLENGE")
        #expect(try await Self.prove(app, begun, session: asked.session).refusal == Self.wrong)
    }

    @Test("R14.2 of 12 right passwords for one challenge at once, one goes on")
    func raced() async throws {
        let (_, app) = try await Self.bench()
        let (asked, begun) = try await Self.begin(app)
        let responses = try app.responses(begun, CognitoBench.password)
        let replies = try await withThrowingTaskGroup(of: CognitoBench.Reply.self) { group in
            for _ in 0..<12 {
                group.addTask { try await app.respond("PASSWORD_VERIFIER", responses, session: asked.session) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count { $0.challenge == "CUSTOM_CHALLENGE" } == 1)
    }

    @Test(
        "R14.6 a password within challenges opens no session by itself, nor is one without them an answer to them"
    )
    func walls() async throws {
        let (_, app) = try await Self.bench()
        // Without the session, which says what comes after it.
        let (asked, begun) = try await Self.begin(app)
        let alone = try await Self.prove(app, begun, session: nil)
        #expect(alone.exception == "InvalidParameterException" && alone.result("AccessToken") == nil)
        // A challenge of `USER_SRP_AUTH` beside the session goes its own way, and takes nothing of it.
        let plain = try await app.begin("ada")
        let signedIn = try await Self.prove(app, plain, session: asked.session)
        #expect(signedIn.result("AccessToken") != nil && signedIn.challenge == nil)
        // What was asked is the password, and no word.
        #expect(try await CustomAuthTests.answer(app, asked).refusal == CustomAuthTests.used)
        // Nor is the password an answer to the word.
        let (again, second) = try await Self.begin(app)
        let word = try await Self.prove(app, second, session: again.session)
        let (_, third) = try await Self.begin(app)
        #expect(try await Self.prove(app, third, session: word.session).refusal == CustomAuthTests.used)
        #expect(try await CustomAuthTests.answer(app, word).result("AccessToken") != nil)
    }

    @Test("R14.6 another's password does not go on with somebody's sign-in")
    func others() async throws {
        let receiver = Self.program()
        let (bench, app) = try await Self.bench(receiver)
        try await bench.signedUp("eve", email: "eve@example.com", client: app.id)
        let (asked, _) = try await Self.begin(app, "ada")
        let (_, own) = try await Self.begin(app, "eve")
        let before = receiver.received.count
        #expect(try await Self.prove(app, own, session: asked.session).refusal == CustomAuthTests.used)
        #expect(receiver.received.count == before)
    }

    @Test("R14.6 a name that nobody has is asked for a password alike, and refused as a wrong one is")
    func nobody() async throws {
        let receiver = Self.program()
        let (_, app) = try await Self.bench(receiver)
        let (known, _) = try await Self.begin(app)
        let (unknown, begun) = try await Self.begin(app, "eve")
        #expect(unknown.challenge == known.challenge)
        #expect(unknown.session?.utf8.count == known.session?.utf8.count)
        #expect(begun["USER_ID_FOR_SRP"].utf8.count == 36)
        #expect(CustomAuthTests.request(try #require(receiver.received.last))["userNotFound"] == .bool(true))
        #expect(try await Self.prove(app, begun, session: unknown.session).refusal == Self.wrong)
    }

    @Test(
        "R14.6 programs may let the password be all or not ask for it, and can't where nobody began with it"
    )
    func otherPrograms() async throws {
        let all = HookReceiver.answering { received in
            let last = CustomAuthTests.request(received)["session"]?.arrayValue?.last?.objectValue
            return last?["challengeName"] == "PASSWORD_VERIFIER"
                ? ["issueTokens": true] : ["challengeName": "PASSWORD_VERIFIER"]
        }
        let (_, app) = try await Self.bench(all())
        let (asked, begun) = try await Self.begin(app)
        #expect(try await Self.prove(app, begun, session: asked.session).result("AccessToken") != nil)
        let late = try await app.initiate("CUSTOM_AUTH", ["USERNAME": "ada"])
        #expect(late.exception == "UnexpectedLambdaException" && late.session == nil)

        let none = HookReceiver.answering { received in
            switch CustomAuthTests.kind(received) {
            case "DefineAuthChallenge_Authentication": ["challengeName": "CUSTOM_CHALLENGE"]
            case "CreateAuthChallenge_Authentication": [:]
            default: ["answerCorrect": true]
            }
        }
        #expect(try await Self.begin(Self.bench(none()).app).asked.challenge == "CUSTOM_CHALLENGE")

        // To have begun is to have shown nothing.
        let hasty = HookReceiver.answering { _ in ["issueTokens": true] }
        let reply = try await Self.begin(Self.bench(hasty()).app).asked
        #expect(reply.exception == "UnexpectedLambdaException" && reply.result("AccessToken") == nil)
    }

    @Test("R14.6 a temporary password that was proved is replaced before there is a session")
    func temporary() async throws {
        let (bench, app) = try await Self.bench()
        _ = try await bench.done(
            "AdminSetUserPassword",
            [
                "UserPoolId": .string(bench.poolID), "Username": "ada", "Password": "Temporary-horse-8",
                "Permanent": false,
            ])
        bench.advance(by: .seconds(2))
        let (asked, begun) = try await Self.begin(app)
        let then = try await Self.prove(app, begun, session: asked.session, "Temporary-horse-8")
        let reply = try await CustomAuthTests.answer(app, then)
        #expect(reply.challenge == "NEW_PASSWORD_REQUIRED", "\(reply.refusal)")
    }

    @Test(
        "R14.6 what a sign-in begins with is said in one way, as a number that no secret is known of",
        arguments: [
            ["CHALLENGE_NAME": "SRP_A"], ["CHALLENGE_NAME": "SRP_A", "SRP_A": "0"],
            ["CHALLENGE_NAME": "SRP_A", "SRP_A": "xyz"], ["SRP_A": "0"],
            ["CHALLENGE_NAME": "CUSTOM_CHALLENGE", "SRP_A": "abcdef"], ["CHALLENGE_NAME": "PASSWORD"],
        ] as [JSONObject])
    func malformed(_ parameters: JSONObject) async throws {
        let receiver = Self.program()
        let (_, app) = try await Self.bench(receiver)
        let name: JSONObject = ["USERNAME": "ada"]
        let reply = try await app.initiate("CUSTOM_AUTH", name.merging(parameters))
        #expect(reply.exception == "InvalidParameterException", "\(reply.refusal)")
        #expect(receiver.received.isEmpty)
        // Named or not, a number that is one begins with the password.
        #expect(try await Self.begin(app, "ada", [:]).asked.challenge == "PASSWORD_VERIFIER")
    }

    @Test("R14.6 a client needs this flow for it, and none by SRP alone")
    func flows() async throws {
        let (bench, app) = try await Self.bench()
        let id = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_CUSTOM_AUTH"]])
        let other = SignInClient(bench: bench, pool: app.pool, id: id)
        let (asked, begun) = try await Self.begin(other)
        #expect(try await Self.prove(other, begun, session: asked.session).challenge == "CUSTOM_CHALLENGE")
        // And a challenge is its client's.
        let (mine, own) = try await Self.begin(app)
        #expect(try await Self.prove(other, own, session: mine.session).exception == "NotAuthorizedException")
    }
}
