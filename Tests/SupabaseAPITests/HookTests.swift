// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Logging
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite struct HookTests {
    private static let secret = "v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    private static func hooks(_ hook: String, _ receiver: HookReceiver) throws -> Hooks {
        let moment = try #require(SupabaseHookForm.hooks[hook])
        let hooks = Hooks(blocking: [
            BlockingHook(
                name: hook, moment: moment, dialect: SupabaseDialect.name, directory: "default",
                secrets: [try WebhookSecret(secret)], caller: receiver)
        ])
        hooks.forms.add(SupabaseHookForm(), of: SupabaseDialect.name)
        return hooks
    }

    private static func bench(
        _ hook: String, _ receiver: HookReceiver, _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws -> SupabaseBench {
        try await SupabaseBench(hooks: try hooks(hook, receiver)) {
            $0.signUp.emailAutoConfirm = true
            change(&$0)
        }
    }

    private static func signUp(_ bench: SupabaseBench, _ email: String = "ada@example.com") async throws
        -> HTTPBench.Reply
    {
        try await bench.post("/signup", ["email": .string(email), "password": .string(SupabaseBench.password)])
    }

    private static func signIn(_ bench: SupabaseBench, _ password: String = SupabaseBench.password) async throws
        -> HTTPBench.Reply
    {
        try await bench.post(
            "/token?grant_type=password", ["email": "ada@example.com", "password": .string(password)])
    }

    private static func claims(_ reply: HTTPBench.Reply) throws -> JSONObject {
        let token = try #require(reply.json["access_token"]?.stringValue)
        let parts = token.split(separator: ".")
        return try JSONObject(parsing: try #require(Base64URL.decode(String(parts[1]))))
    }

    @Test("R14.6 before-user-created is asked in the platform's form, signed, and what it refuses is nobody's account")
    func beforeUserCreated() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            let user = received.object["user"]?.objectValue
            guard user?["email"]?.stringValue?.hasPrefix("eve") == true else { return HookReply([:]) }
            return HookReply(["error": ["http_code": 403, "message": "Not from here"]])
        }
        let bench = try await Self.bench("before-user-created", receiver)
        let made = try await Self.signUp(bench)
        #expect(made.status == 200)
        let asked = try #require(receiver.received.first)
        let user = try #require(asked.object["user"]?.objectValue)
        #expect(user["id"] == made.json["user"]?.objectValue?["id"])
        #expect(asked.object["metadata"]?.objectValue?["name"]?.stringValue == "before-user-created")
        #expect(asked.object["metadata"]?.objectValue?["uuid"]?.stringValue == asked.id)
        #expect(asked.fields["webhook-signature"]?.hasPrefix("v1,") == true)
        #expect(!String(decoding: asked.body, as: UTF8.self).contains(SupabaseBench.password))

        let refused = try await Self.signUp(bench, "eve@example.com")
        #expect(refused.status == 403 && refused.json["msg"]?.stringValue == "Not from here")
        let listed = try await bench.administer(.get, "/admin/users")
        #expect(listed.json["users"]?.arrayValue?.count == 1)
    }

    @Test(
        "R14.6 who signs up with an address that has an account is asked about as anybody is: a refusal tells nothing")
    func concealed() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply(["error": ["message": "closed"]]) }
        let bench = try await Self.bench("before-user-created", receiver) { $0.signUp.emailAutoConfirm = false }
        let known = try await bench.administer(
            .post, "/admin/users",
            ["email": "ada@example.com", "password": .string(SupabaseBench.password), "email_confirm": true])
        #expect(known.status == 200 && receiver.received.isEmpty)
        let first = try await Self.signUp(bench)
        let second = try await Self.signUp(bench, "nobody@example.com")
        #expect(first.status == second.status && first.json["msg"] == second.json["msg"])
        #expect(receiver.received.count == 2)
    }

    @Test(
        "R14.6 after-user-created is told of who is there by then, by whichever way, once; its no is the caller's, and the user stays"
    )
    func afterUserCreated() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            let user = received.object["user"]?.objectValue
            guard user?["email"]?.stringValue?.hasPrefix("eve") == true else { return HookReply(status: 204) }
            return HookReply(["error": ["http_code": 409, "message": "No room for a profile"]])
        }
        let bench = try await Self.bench("after-user-created", receiver) { $0.signUp.anonymousEnabled = true }
        let made = try await Self.signUp(bench)
        #expect(made.status == 200 && made.json["access_token"] != nil)
        let told = try #require(receiver.received.first?.object)
        let user = try #require(told["user"]?.objectValue)
        #expect(user["id"] == made.json["user"]?.objectValue?["id"])
        // As stored, with what came after the row was there.
        #expect(user["email_confirmed_at"]?.stringValue != nil && user["last_sign_in_at"]?.stringValue != nil)
        #expect(told["metadata"]?.objectValue?["name"]?.stringValue == "after-user-created")
        #expect(try await Self.signIn(bench).status == 200)
        #expect(receiver.received.count == 1)
        #expect(try await bench.post("/signup", [:]).status == 200)
        #expect(receiver.received.count == 2)

        let refused = try await Self.signUp(bench, "eve@example.com")
        #expect(refused.status == 409 && refused.json["msg"]?.stringValue == "No room for a profile")
        #expect(refused.json["access_token"] == nil)
        let listed = try await bench.administer(.get, "/admin/users")
        let users = listed.json["users"]?.arrayValue ?? []
        let eve = try #require(users.first { $0.objectValue?["email"]?.stringValue == "eve@example.com" }?.objectValue)
        // What the caller was not given has ended.
        let id = UserID(try #require(eve["id"]?.stringValue))
        let directory = bench.accounts.directory.id
        let sessions = try await bench.accounts.ports.store.read { try $0.sessions(of: id, in: directory) }
        #expect(sessions.allSatisfy { $0.revokedAt != nil })
        // An operator's own users are none of the platform's.
        _ = try await bench.administer(.post, "/admin/users", ["email": "bob@example.com"])
        #expect(receiver.received.count == 3)
    }

    @Test(
        "R14.6 custom-access-token adds claims to tokens of sign-ins and refreshes, and changes none that are not its own"
    )
    func customAccessToken() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            var claims = received.object["claims"]?.objectValue ?? [:]
            claims["plan"] = "pro"
            claims["app_metadata"] = nil
            return HookReply(["claims": .object(claims)])
        }
        let bench = try await Self.bench("custom-access-token", receiver)
        let made = try await Self.signUp(bench)
        #expect(made.status == 200)
        let claims = try Self.claims(made)
        #expect(claims["plan"]?.stringValue == "pro" && claims["app_metadata"] == nil)
        #expect(claims["sub"] == made.json["user"]?.objectValue?["id"])
        let refresh = try #require(made.json["refresh_token"])
        let renewed = try await bench.post("/token?grant_type=refresh_token", ["refresh_token": refresh])
        #expect(try Self.claims(renewed)["plan"]?.stringValue == "pro")
        let methods = receiver.received.map { $0.object["authentication_method"]?.stringValue }
        #expect(methods == ["password", "token_refresh"])
        // It is a token that works.
        let token = try #require(renewed.json["access_token"]?.stringValue)
        #expect(try await bench.get("/user", token: token).status == 200)
    }

    @Test(
        "R14.6 an answer that changes whose a token is, how long, at which level or for whom, is none: nobody is signed in",
        arguments: [
            ("sub", JSONValue.string("somebody")), ("exp", 4_000_000_000), ("aal", "aal2"), ("session_id", "other"),
            ("role", "service_role"), ("iss", "https://elsewhere.example"), ("aud", "other"),
            ("email", "x@example.com"),
            ("is_anonymous", true), ("role", nil), ("sub", nil), ("client_id", "app"),
        ] as [(String, JSONValue?)])
    func reserved(_ name: String, _ value: JSONValue?) async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            var claims = received.object["claims"]?.objectValue ?? [:]
            claims[name] = value
            return HookReply(["claims": .object(claims)])
        }
        let bench = try await Self.bench("custom-access-token", receiver)
        let reply = try await Self.signUp(bench)
        #expect(reply.status == 500 && reply.json["access_token"] == nil)
        // Nobody was given the session, so that there is none.
        let asked = try #require(receiver.received.first?.object["claims"]?.objectValue)
        let session = SessionID(try #require(asked["session_id"]?.stringValue))
        let directory = bench.accounts.directory.id
        let stored = try await bench.accounts.ports.store.read { try $0.session(session, in: directory) }
        #expect(stored?.revokedAt != nil)
    }

    @Test(
        "R14.6 password-verification-attempt hears of right and wrong ones, and what it refuses is refused and counted")
    func passwordAttempt() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            guard received.object["valid"]?.boolValue == false else { return HookReply(["decision": "continue"]) }
            return HookReply(["decision": "reject", "message": "Go away", "should_logout_user": true])
        }
        let bench = try await Self.bench("password-verification-attempt", receiver)
        let made = try await Self.signUp(bench)
        #expect(try await Self.signIn(bench).status == 200)
        let wrong = try await Self.signIn(bench, "Wrong-horse-7-battery")
        #expect(wrong.status == 400 && wrong.json["error_code"]?.stringValue == "invalid_credentials")
        #expect(wrong.json["msg"]?.stringValue == "Go away")
        #expect(receiver.received.map { $0.object["valid"]?.boolValue } == [true, false])
        let token = try #require(made.json["access_token"]?.stringValue)
        #expect(try await bench.get("/user", token: token).status == 403)
        for _ in 0..<4 { _ = try await Self.signIn(bench, "Wrong-horse-7-battery") }
        // Five wrong ones lock, whatever the hook says of them; under the lock it is not asked.
        let count = receiver.received.count
        #expect(try await Self.signIn(bench).status == 400)
        #expect(receiver.received.count == count)
    }

    @Test("R14.6 a hook that is slow, cut, wrong or too large keeps out whom it should have been asked about")
    func failures() async throws {
        let answers: [(@Sendable () throws(HookCallFailure) -> HookReply, Int, String)] = [
            ({ () throws(HookCallFailure) in throw .timedOut }, 422, "hook_timeout"),
            ({ () throws(HookCallFailure) in throw .unreachable }, 422, "hook_timeout_after_retry"),
            ({ () throws(HookCallFailure) in throw .tooLarge }, 422, "hook_payload_over_size_limit"),
            ({ HookReply(status: 200, type: "text/html") }, 400, "hook_payload_invalid_content_type"),
            ({ HookReply(status: 302) }, 500, "unexpected_failure"),
            ({ HookReply(status: 500) }, 500, "unexpected_failure"),
            ({ HookReply(status: 200, body: Array("[]".utf8)) }, 500, "unexpected_failure"),
            ({ HookReply(status: 200, body: Array("{".utf8)) }, 500, "unexpected_failure"),
        ]
        for (answer, status, code) in answers {
            let receiver = HookReceiver { _ throws(HookCallFailure) in try answer() }
            let bench = try await Self.bench("before-user-created", receiver)
            let reply = try await Self.signUp(bench)
            #expect(reply.status == status && reply.json["error_code"]?.stringValue == code)
            #expect(try await bench.administer(.get, "/admin/users").json["users"]?.arrayValue?.isEmpty == true)
        }
    }

    @Test("R14.6 send-email is handed what a mail asks for, and nothing is called sent that it has not taken")
    func sendEmail() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await Self.bench("send-email", receiver) { $0.signUp.emailAutoConfirm = false }
        _ = try await Self.signUp(bench)
        let ports = bench.accounts.ports
        let worker = OutboxWorker(
            store: ports.store, random: ports.random,
            transports: OutboxTransports(mail: nil, texts: nil, letters: HookedLetters(ports, links: PlainLinks())),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        #expect(await worker.deliverDue(at: bench.accounts.now) == nil)
        let told = try #require(receiver.received.first?.object)
        let data = try #require(told["email_data"]?.objectValue)
        #expect(told["user"]?.objectValue?["email"]?.stringValue == "ada@example.com")
        #expect(
            data["email_action_type"]?.stringValue == "signup" && data["site_url"]?.stringValue == "https://app.example"
        )
        let verified = try await bench.post(
            "/verify", ["type": "email", "token_hash": try #require(data["token_hash"])])
        #expect(verified.status == 200)
        let messages = try await OutboxInspection(ports).messages(limit: 9)
        #expect(messages.allSatisfy { $0.state == .sent })
    }
}
