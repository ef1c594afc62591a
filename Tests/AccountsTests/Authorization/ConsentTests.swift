// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct ConsentTests {
    private typealias Bench = AuthorizationBench

    /// Somebody who is signed in.
    private struct Scene {
        let bench: AuthorizationBench
        let user: User
        let cookie: Secret<String>

        init(_ change: @escaping (inout Client) -> Void = { _ in }) async throws {
            bench = try await Bench({ _ in }, change)
            user = try await bench.user("ada@example.com")
            cookie = try await bench.signIn(user)
        }

        /// What is asked of the user, who then answers, and what they are answered.
        func ask(
            _ scopes: [String], _ answer: AnswerConsent.Answer = .allow(),
            prompts: Set<AuthorizationParameters.Prompt> = []
        ) async throws -> (asked: [String]?, granted: [String]?, error: AuthorizationErrorCode?) {
            let browser = bench.browser()
            let request = bench.request(scopes: scopes)
            var step = try await bench.step(request, AuthorizationParameters(prompts: prompts), in: browser, cookie)
            var asked: [String]?
            if case .consent(let pending, _, let scopes) = step {
                asked = scopes
                try await bench.flows.answerConsent(
                    pending.id, answer, browser: browser, session: cookie, call: bench.call())
                step = try await bench.proceed(pending, in: browser, cookie)
            }
            let response = try #require(step.response)
            guard let code = response.code else { return (asked, nil, response.error) }
            return (asked, try await bench.exchange(code).session.grant?.scopes, nil)
        }

        func agreed() async throws -> [String]? {
            try await bench.ports.store.read { [user, id = bench.client.id] in
                try $0.consent(of: user.id, to: id, in: user.directoryID)?.scopes
            }
        }
    }

    @Test("R11.3 ASVS 10.7: what a user agreed to is not asked again, what is new is, and less is never")
    func remembered() async throws {
        let scene = try await Scene()
        let first = try await scene.ask(["openid", "email"])
        #expect(first.asked == ["openid", "email"] && first.granted == ["openid", "email"])
        let same = try await scene.ask(["openid", "email"])
        #expect(same.asked == nil && same.granted == ["openid", "email"])
        let less = try await scene.ask(["openid"])
        #expect(less.asked == nil && less.granted == ["openid"])
        let more = try await scene.ask(["openid", "notes/read", "email"])
        #expect(more.asked == ["notes/read"] && more.granted == ["openid", "notes/read", "email"])
        #expect(try await scene.agreed() == ["openid", "email", "notes/read"])
        let again = try await scene.ask(["openid", "email"], prompts: [.consent])
        #expect(again.asked == ["openid", "email"] && again.granted == ["openid", "email"])
    }

    @Test("R11.3 a user may agree to a part of it, and what they leave out is taken back")
    func narrowed() async throws {
        let scene = try await Scene()
        let part = try await scene.ask(["openid", "email", "notes/read"], .allow(scopes: ["email", "admin", "email"]))
        #expect(part.granted == ["openid", "email"])
        #expect(try await scene.agreed() == ["openid", "email"])
        let left = try await scene.ask(["openid", "email"], .allow(scopes: ["openid"]), prompts: [.consent])
        #expect(left.granted == ["openid"])
        #expect(try await scene.agreed() == ["openid"])
        let nothing = try await scene.ask(["openid", "email"], .allow(scopes: []))
        #expect(nothing.asked == ["email"] && nothing.error == .accessDenied)
        #expect(try await scene.agreed() == ["openid"])
    }

    @Test("R11.3 a client that is refused is told so, and asked for again the next time")
    func denied() async throws {
        let scene = try await Scene()
        for _ in 0..<2 {
            let denied = try await scene.ask(["openid"], .deny)
            #expect(denied.asked == ["openid"] && denied.error == .accessDenied)
        }
        #expect(try await scene.agreed() == nil)
    }

    @Test("R11.3 the operator's own app asks nobody, unless it asks to; one that always asks remembers nothing")
    func policies() async throws {
        let own = try await Scene { $0.settings.authorization.consent = .notAsked }
        #expect(try await own.ask(["openid", "offline_access"]).asked == nil)
        #expect(try await own.ask(["openid"], prompts: [.consent]).asked == ["openid"])
        let always = try await Scene { $0.settings.authorization.consent = .always }
        for _ in 0..<2 { #expect(try await always.ask(["openid"]).asked == ["openid"]) }
    }

    @Test(
        "R11.3 RFC 8252 8.6: whoever could be another program on the user's machine is asked about each time, its own app never",
        arguments: [
            ("https://app.example/back", false, true), ("http://127.0.0.1/back", false, false),
            ("http://localhost:8080/back", false, false), ("com.example.app:/back", false, false),
            ("http://127.0.0.1/back", true, true), ("com.example.app:/back", true, true),
        ])
    func impersonated(uri: String, hasSecret: Bool, isRemembered: Bool) async throws {
        for isOwn in [false, true] {
            let scene = try await Scene {
                $0.settings.authorization.redirectURIs = [uri]
                $0.settings.authorization.consent = isOwn ? .notAsked : .remembered
                if hasSecret { $0.settings.authorization.authentication = .secretBasic }
            }
            let bench = scene.bench
            let request = bench.request(redirectURI: uri)
            let first = try await bench.step(request, in: bench.browser(), scene.cookie).kind
            #expect(first == (isOwn ? "code" : "consent"))
            if !isOwn { _ = try await bench.code(request, scene.cookie) }
            #expect(try await scene.agreed() == (isOwn ? nil : ["openid", "email"]))
            let again = try await bench.step(request, in: bench.browser(), scene.cookie).kind
            #expect(again == (isOwn || isRemembered ? "code" : "consent"))
            let silent = try await bench.step(
                request, AuthorizationParameters(prompts: [.none]), in: bench.browser(), scene.cookie
            ).kind
            #expect(silent == (isOwn || isRemembered ? "code" : "consent_required"))
        }
    }

    @Test("R11.3 what a user leaves out when they are asked again is in no token that the client renews afterwards")
    func narrowedSince() async throws {
        let scene = try await Scene()
        let bench = scene.bench
        let code = try await bench.code(bench.request(scopes: ["openid", "email", "notes/read"]), scene.cookie)
        let issued = try await bench.exchange(code)
        _ = try await scene.ask(["openid", "notes/read"], .allow(scopes: ["openid"]), prompts: [.consent])
        let renewed = try await bench.refresh(issued)
        #expect(renewed.session.grant?.scopes == ["openid", "email"])
        #expect(
            await refusal { _ = try await bench.refresh(renewed, scopes: ["openid", "notes/read"]) }?.code
                == .invalidScope)
        // Agreed to again, it is there again.
        _ = try await scene.ask(["openid", "notes/read"])
        let wider = try await bench.refresh(renewed)
        #expect(wider.session.grant?.scopes == ["openid", "email", "notes/read"])
        // Who has agreed to other things alone has nothing left of it.
        let notes = try await bench.exchange(try await bench.code(bench.request(scopes: ["notes/read"]), scene.cookie))
        _ = try await scene.ask(["openid", "notes/read"], .allow(scopes: ["openid"]), prompts: [.consent])
        #expect(await refusal { _ = try await bench.refresh(notes) }?.code == .invalidGrant)
        #expect(try await bench.refresh(wider).session.grant?.scopes == ["openid", "email"])
    }

    @Test("R11.3 consents are listed; taking one back ends what the client was given, offline too, and asks again")
    func revoked() async throws {
        let scene = try await Scene()
        let (bench, consents) = (scene.bench, scene.bench.flows.consents)
        let other = try await Bench.add("other", to: bench.base)
        let code = try await bench.code(bench.request(scopes: ["openid", "offline_access"]), scene.cookie)
        let issued = try await bench.exchange(code)
        let kept = try await bench.exchange(try await bench.code(nil, scene.cookie, client: other), client: other)
        let pendingCode = try await bench.code(nil, scene.cookie)
        let listed = try await consents.list(of: scene.user.id, call: bench.call())
        #expect(listed.map(\.client.id) == [bench.client.id, other.id])
        #expect(listed.first?.consent.scopes == ["openid", "offline_access", "email"])
        try await consents.revoke(bench.client.id, of: scene.user.id, call: bench.call())
        await #expect(throws: AuthError(.refreshTokenNotFound)) { try await bench.refresh(issued) }
        await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(pendingCode) }
        _ = try await bench.refresh(kept, client: other)
        #expect(try await consents.list(of: scene.user.id, call: bench.call()).map(\.client.id) == [other.id])
        #expect(try await scene.ask(["openid"]).asked == ["openid"])
        await #expect(throws: AuthError(.notFound)) {
            try await consents.revoke(ClientID("none"), of: scene.user.id, call: bench.call())
        }
        await #expect(throws: AuthError(.notFound)) {
            try await consents.revoke(other.id, of: UserID("nobody"), call: bench.call())
        }
    }

    @Test("R11.5 one user's answer is no other's, and an answer to what nobody asks changes nothing")
    func foreign() async throws {
        let scene = try await Scene()
        let bench = scene.bench
        let browser = bench.browser()
        let pending = try #require(try await bench.step(in: browser, scene.cookie).pending)
        try await bench.flows.answerConsent(pending.id, .allow(), browser: browser, session: nil, call: bench.call())
        #expect(try await bench.proceed(pending, in: browser, scene.cookie).kind == "consent")
        try await bench.flows.answerConsent(
            pending.id, .allow(), browser: browser, session: scene.cookie, call: bench.call())
        let bob = try await bench.signIn(try await bench.user("bob@example.com"))
        #expect(try await bench.proceed(pending, in: browser, bob).kind == "consent")
        #expect(try await bench.proceed(pending, in: browser, scene.cookie).kind == "code")
    }
}
