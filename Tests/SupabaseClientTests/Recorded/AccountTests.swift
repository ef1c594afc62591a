// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import SupabaseClient
import TestSupport
import Testing

/// What the cloud makes of an account, as its own server's handlers do it: `/otp`, `/verify`, `/token` with
/// `link_identity`, `/user`.
struct AccountTests {
    private static let apple = ProviderIdentity(
        provider: "apple", idToken: Secret("id"), nonce: Secret("raw"), name: "Grace Hopper")

    /// Nobody's name, as after a sign-in without proof.
    private static func nameless(_ session: String) -> JSONObject {
        var answer = Cloud.session(session: session)
        var user = Cloud.user()
        user["user_metadata"] = [:]
        answer["user"] = .object(user)
        return answer
    }

    @Test("R13.4 G-1.3 Nobody is told who has an account by asking for a code, though the service does tell")
    func concealed() async throws {
        let refusal = Cloud.errors(422, "otp_disabled")[0]
        let (backend, transport) = Cloud.backend(refusal)
        let step = try await backend.sendCode(to: "nobody@example.com")
        #expect(step.kind == .code && step.identifier == "nobody@example.com")
        #expect(await transport.requests.first?.json["create_user"] == false)
        // Who is to get an account is told why there is none.
        await #expect(throws: AuthError(.oneTimeCodesDisabled)) {
            try await backend.sendCode(to: "nobody@example.com", createsUser: true)
        }
        let (limited, _) = Cloud.backend(Cloud.errors(429, "over_email_send_rate_limit")[0])
        await #expect(throws: AuthError(.mailRateLimited)) { try await limited.sendCode(to: "ada@example.com") }
    }

    @Test(
        "R13.4 G-5.6 A recovery given up for another leaves no session at the service, and does not hold up the other",
        .timeLimit(.minutes(1)))
    func abandonedRecovery() async throws {
        let (slowness, isOver) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { request, place in
            switch request.path {
            case "/verify": return Cloud.answer(200, Cloud.session(session: place == 0 ? "s1" : "s2"))
            case "/user" where place == 1: return Cloud.errors(422, "weak_password")[0]
            case "/logout":
                for await _ in slowness { break }
                return HTTPResponse(status: 204)
            default: return Cloud.answer(200, Cloud.user())
            }
        }
        let backend = SupabaseBackend(Cloud.configuration, transport: transport)
        await #expect(throws: AuthError.self) {
            try await backend.finishRecovery(identifier: nil, proof: Secret("h1"), newPassword: Secret("short"))
        }
        _ = try await backend.finishRecovery(identifier: nil, proof: Secret("h2"), newPassword: Secret("long enough"))
        isOver.yield()
        try await eventually("a session is ended") { await transport.requests.contains { $0.path == "/logout" } }
        let asked = await transport.requests
        #expect(asked.map(\.path).filter { $0 != "/logout" } == ["/verify", "/user", "/verify", "/user"])
        let ended = try #require(asked.first { $0.path == "/logout" })
        #expect(ended.query["scope"] == "local")
        #expect(ended.headers.contains(Self.bearer("s1")))
    }

    @Test("R13.4 G-5.6 A recovery that ends while another one has begun leaves that one its second try")
    func overlappingRecoveries() async throws {
        let (other, isBegun) = AsyncStream<Void>.makeStream()
        let transport = ScriptedTransport { request, place in
            switch request.path {
            case "/verify": return Cloud.answer(200, Cloud.session(session: place == 0 ? "s1" : "s2"))
            case "/user" where request.headers.contains(Self.bearer("s1")):
                for await _ in other { break }
                return Cloud.answer(200, Cloud.user())
            case "/user" where request.json["password"] == "short": return Cloud.errors(422, "weak_password")[0]
            case "/logout": return HTTPResponse(status: 204)
            default: return Cloud.answer(200, Cloud.user())
            }
        }
        let backend = SupabaseBackend(Cloud.configuration, transport: transport)
        let first = Task {
            try await backend.finishRecovery(identifier: nil, proof: Secret("h1"), newPassword: Secret("long enough"))
        }
        try await eventually("two requests are sent") { await transport.requests.count >= 2 }
        await #expect(throws: AuthError.self) {
            try await backend.finishRecovery(identifier: nil, proof: Secret("h2"), newPassword: Secret("short"))
        }
        isBegun.yield()
        _ = try await first.value
        _ = try await backend.finishRecovery(identifier: nil, proof: Secret("h2"), newPassword: Secret("long enough"))
        // A proof is good once at the service.
        #expect(await transport.requests.count { $0.path == "/verify" } == 2)
    }

    @Test(
        "R13.4 G-9 A sign-in whose factor can't be asked for leaves no session at the service", .timeLimit(.minutes(1)))
    func unaskedFactor() async throws {
        let factors: JSONValue = [
            ["id": "f1", "status": "verified", "factor_type": "phone", "phone": "4917012345678"]
        ]
        let transport = ScriptedTransport { request, _ in
            switch request.path {
            case "/token": return Cloud.answer(200, Cloud.session(factors: factors, session: "s1"))
            case "/logout": return HTTPResponse(status: 204)
            default: return Cloud.errors(429, "over_sms_send_rate_limit")[0]
            }
        }
        let backend = SupabaseBackend(Cloud.configuration, transport: transport)
        let proof = SignInProof.password(identifier: "ada@example.com", password: Secret("hunter2hunter2"))
        await #expect(throws: AuthError.self) { try await backend.signIn(proof) }
        try await eventually("a session is ended") { await transport.requests.contains { $0.path == "/logout" } }
        let asked = await transport.requests
        #expect(asked.map(\.path) == ["/token", "/factors/f1/challenge", "/logout"])
        #expect(asked.last?.query["scope"] == "local" && asked.last?.headers.contains(Self.bearer("s1")) == true)
    }

    private static func bearer(_ session: String) -> HTTPHeader {
        HTTPHeader("Authorization", "Bearer " + Cloud.token(session: session))
    }

    @Test("R13.4 F-2 Who is anonymous and links Apple's account keeps the name that Apple tells once")
    func nameAtLink() async throws {
        var named = Cloud.user()
        named["user_metadata"] = ["full_name": "Grace Hopper"]
        let (backend, transport) = Cloud.backend(
            Cloud.answer(200, Self.nameless("s2")), Cloud.answer(200, named))
        let grant = try await backend.link(.identityToken(Self.apple), to: Cloud.tokens)
        #expect(grant.user?.name == "Grace Hopper")
        let written = try #require(await transport.requests.last)
        #expect(written.path == "/user" && written.json == ["data": ["full_name": "Grace Hopper"]])
        // Where it can't be written, the link holds all the same.
        let (refusing, _) = Cloud.backend(
            Cloud.answer(200, Self.nameless("s2")), HTTPResponse(status: 503))
        #expect(try await refusing.link(.identityToken(Self.apple), to: Cloud.tokens).user?.name == "Grace Hopper")
    }

    @Test("R13.4 G-13.2 A link brings a session in the place of that which asked, and only where it is another one")
    func replaced() async throws {
        for (session, isOther) in [("s2", true), ("s", false)] {
            let (backend, _) = Cloud.backend(Cloud.answer(200, Cloud.session(session: session)))
            let grant = try await backend.link(.identityToken(Self.apple), to: Cloud.tokens)
            #expect(grant.replacesSession == isOther)
        }
        let (backend, _) = Cloud.backend(Cloud.answer(200, Cloud.session(session: "s2")))
        #expect(try await backend.refresh(Cloud.tokens).replacesSession == nil)
    }

    @Test("R13.4 A changed number, and a changed address, is confirmed by the code that came to it")
    func confirmed() async throws {
        let (backend, transport) = Cloud.backend(Cloud.answer(200, Cloud.session(session: "s2")))
        let grant = try await backend.confirmIdentifier(Cloud.tokens, "+4917012345678", code: Secret("123456"))
        #expect(grant.replacesSession == true && grant.user != nil)
        let asked = try #require(await transport.requests.first)
        #expect(
            asked.path == "/verify"
                && asked.json == ["type": "phone_change", "token": "123456", "phone": "+4917012345678"])
        // The first of two: the same session goes on.
        let (first, calls) = Cloud.backend(
            Cloud.answer(200, ["code": "200", "msg": "Confirmation link accepted. Please proceed"]),
            Cloud.answer(200, Cloud.user()))
        let same = try await first.confirmIdentifier(Cloud.tokens, "ada@example.com", code: Secret("123456"))
        #expect(same.tokens.accessToken.reveal() == Cloud.token() && same.replacesSession == nil)
        #expect(await calls.requests.first?.json["type"] == "email_change")
    }

    @Test("R13.4 Who shows nothing is nobody: no account comes of being asked again")
    func anonymousProof() async throws {
        let (backend, transport) = Cloud.backend(Cloud.answer(200, Cloud.session()))
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await backend.reauthenticate(Cloud.tokens, with: .anonymous)
        }
        #expect(await transport.requests.isEmpty)
    }

    @Test("R13.4 G-9 A second factor is asked for too where the token is too long to be read here")
    func longToken() async throws {
        let factors: JSONValue = [["id": "f1", "status": "verified", "factor_type": "totp"]]
        var answer = Cloud.session(factors: factors)
        answer["access_token"] = .string(
            ["{}", #"{"sub":"u","aal":"aal1","user_metadata":"\#(String(repeating: "x", count: 20_000))"}"#, "s"]
                .map { Base64URL.encode(Array($0.utf8)) }.joined(separator: "."))
        let (backend, _) = Cloud.backend(Cloud.answer(200, answer))
        let proof = SignInProof.password(identifier: "ada@example.com", password: Secret("hunter2hunter2"))
        #expect(try await backend.signIn(proof).awaited.kind == .oneTimePassword)
    }

    @Test("R13.4 F10 A page of somebody else's that happens to be JSON confirms no address")
    func portal() async throws {
        for body: JSONObject in [[:], ["status": "ok"], ["msg": 7]] {
            let (backend, _) = Cloud.backend(Cloud.answer(200, body))
            await #expect(throws: AuthError(.unavailable)) {
                try await backend.signIn(.link(tokenHash: Secret("h"), kind: "signup"))
            }
        }
    }
}
