// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct AuthorizationFlowTests {
    private typealias Bench = AuthorizationBench

    @Test("R11.2 nobody signed in, a sign-in, a consent, a code; the next app gets its code at once")
    func walk() async throws {
        let bench = try await Bench()
        let other = try await Bench.add("other", to: bench.base) { $0.settings.authorization.consent = .notAsked }
        let user = try await bench.user("ada@example.com")
        let browser = bench.browser()
        let parameters = AuthorizationParameters(state: "s t&", responseMode: .fragment)
        let begun = try await bench.step(nil, parameters, in: browser, nil)
        #expect(begun.kind == "sign in")
        let pending = try #require(begun.pending)
        #expect(try await bench.proceed(pending, in: browser, nil).kind == "sign in")
        let cookie = try await bench.signIn(user)
        guard case .consent(_, let asked, let scopes) = try await bench.proceed(pending, in: browser, cookie) else {
            Issue.record("no consent was asked for")
            return
        }
        #expect(asked.id == user.id && scopes == ["openid", "email"])
        try await bench.flows.answerConsent(pending.id, .allow(), browser: browser, session: cookie, call: bench.call())
        let answer = try #require(try await bench.proceed(pending, in: browser, cookie).response)
        #expect(answer.redirectURI == Bench.redirectURI && answer.mode == .fragment)
        #expect(answer.parameters.map(\.name) == ["code", "state"] && answer.parameters.last?.value == "s t&")
        let issued = try await bench.exchange(try #require(answer.code))
        #expect(issued.user.id == user.id && issued.request?.nonce == "n")
        #expect(issued.session.grant == ClientGrant(scopes: ["openid", "email"]))
        let parent = try #require(try await bench.flows.browserSessions.find(cookie, call: bench.call()))
        #expect(issued.session.parentID == parent.session.id && issued.session.clientID == bench.client.id)

        bench.base.advance(by: .minutes(5))
        let next = try await bench.step(in: browser, cookie, client: other)
        let second = try await bench.exchange(try #require(next.response?.code), client: other)
        #expect(second.session.authenticatedAt == issued.session.authenticatedAt)
        #expect(second.session.methods == issued.session.methods && second.session.createdAt == bench.base.now)
        #expect(second.user.lastSignInAt == issued.user.lastSignInAt)
    }

    @Test("R11.1 what is answered at once is never kept; what waits for a page is, once")
    func nothingKept() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let browser = bench.browser()
        let answers = [
            try await bench.step(in: browser, cookie),
            try await bench.step(nil, AuthorizationParameters(prompts: [.none]), in: browser, nil),
        ]
        #expect(answers.map(\.kind) == ["code", "login_required"])
        #expect(try await bench.pendingCount() == 0)
        _ = try await bench.step(in: browser, nil)
        #expect(try await bench.pendingCount() == 1)
    }

    @Test("R11.5 what is wrong before client and redirect URI are good has nowhere to be sent to; the rest goes back")
    func refusals() async throws {
        let bench = try await Bench()
        let confidential = try await Bench.add("secret", to: bench.base) {
            $0.settings.authorization.authentication = .secretBasic
            $0.settings.authorization.resources = ["https://api.example/"]
        }
        let disabled = try await Bench.add("disabled", to: bench.base) { $0.settings.authorization.isEnabled = false }
        let other = try await Bench.add("grantless", to: bench.base) { $0.settings.authorization.grants = [] }
        let pushing = try await Bench.add("pushing", to: bench.base) {
            $0.settings.authorization.requiresPushedRequests = true
        }
        typealias Row = (String, Client, AuthorizationRequest, AuthorizationParameters, AuthorizationErrorCode?, Bool)
        let none = AuthorizationParameters()
        let long = String(repeating: "x", count: 5000)
        let rows: [Row] = [
            ("as it should be", bench.client, bench.request(), none, nil, false),
            ("no redirect URI", bench.client, bench.request(redirectURI: nil), none, .invalidRequest, false),
            (
                "another", bench.client, bench.request(redirectURI: "https://evil.example/"), none, .invalidRequest,
                false
            ),
            (
                "a longer one", bench.client, bench.request(redirectURI: Bench.redirectURI + "/x"), none,
                .invalidRequest,
                false
            ),
            ("disabled", disabled, bench.request(), none, .unauthorizedClient, true),
            ("no grant", other, bench.request(), none, .unauthorizedClient, true),
            ("not pushed", pushing, bench.request(), none, .invalidRequest, true),
            ("no challenge", bench.client, bench.request(challenge: nil), none, .invalidRequest, true),
            ("no challenge needed", confidential, bench.request(challenge: nil), none, nil, false),
            ("unknown scopes", bench.client, bench.request(scopes: ["x", "y"]), none, .invalidScope, true),
            ("no scope", bench.client, bench.request(scopes: []), none, .invalidScope, true),
            ("one known", bench.client, bench.request(scopes: ["x", "openid"]), none, nil, false),
            ("its resource", confidential, bench.request { $0.resources = ["https://api.example/"] }, none, nil, false),
            (
                "a foreign resource", confidential, bench.request { $0.resources = ["https://api.example"] }, none,
                .invalidTarget, true
            ),
            (
                "none and login", bench.client, bench.request(), AuthorizationParameters(prompts: [.none, .login]),
                .invalidRequest, true
            ),
            (
                "negative max_age", bench.client, bench.request(), AuthorizationParameters(maxAge: -1), .invalidRequest,
                true
            ),
            ("odd dpop_jkt", bench.client, bench.request { $0.dpopKey = "abc" }, none, .invalidRequest, true),
            ("long state", bench.client, bench.request(), AuthorizationParameters(state: long), .invalidRequest, true),
            (
                "long hint", bench.client, bench.request(), AuthorizationParameters(loginHint: long), .invalidRequest,
                true
            ),
            (
                "many locales", bench.client, bench.request(),
                AuthorizationParameters(uiLocales: Array(repeating: "de", count: 101)), .invalidRequest, true
            ),
            ("deep claims", bench.client, bench.request { $0.claims = Self.nested(9) }, none, .invalidRequest, true),
        ]
        for (name, client, request, parameters, wanted, isSent) in rows {
            let refused = await refusal {
                _ = try await bench.step(request, parameters, in: bench.browser(), nil, client: client)
            }
            #expect(refused?.code == wanted, "\(name)")
            #expect((refused?.response != nil) == isSent, "\(name)")
            #expect(refused?.response?.error == (isSent ? wanted : nil), "\(name)")
            #expect(refused?.response.map { $0.redirectURI == Bench.redirectURI } ?? true, "\(name)")
        }
        for stranger in [
            Client(
                id: ClientID("x"), directoryID: DirectoryID("elsewhere"), name: "", createdAt: bench.base.now,
                updatedAt: bench.base.now), nil,
        ] {
            var call = bench.call()
            call.client = stranger
            let refused = await refusal { [call] in
                _ = try await bench.flows.beginAuthorization(
                    bench.request(), none, browser: bench.browser(), call: call)
            }
            #expect(refused?.code == .unauthorizedClient && refused?.response == nil)
        }
    }

    private static func nested(_ depth: Int) -> JSONObject {
        (0..<depth).reduce([:]) { value, _ in ["a": .object(value)] }
    }

    @Test("R11.5 a request is gone on with in its own browser and Directory, until it has expired or was answered")
    func stale() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let user = try await bench.user("ada@example.com")
        let browser = bench.browser()
        let pending = try #require(try await bench.step(in: browser, nil).pending)
        let cookie = try await bench.signIn(user)
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.base.now)
        var elsewhere = bench.call()
        elsewhere.directory = other
        let (flow, own) = (bench.flows.continueAuthorization, bench.call())
        let rows: [(PendingAuthorizationID, BrowserID?, CallContext)] = [
            (pending.id, bench.browser(), own), (pending.id, nil, own),
            (PendingAuthorizationID(String(repeating: "x", count: 100_000)), browser, own),
            (PendingAuthorizationID(""), browser, own), (pending.id, browser, elsewhere),
        ]
        for (id, browser, call) in rows {
            let refused = await refusal { _ = try await flow(id, browser: browser, session: cookie, call: call) }
            #expect(refused?.staleness == .unknown && refused?.response == nil)
            for answer in [AnswerConsent.Answer.allow(), .deny] {
                let refused = await refusal {
                    try await bench.flows.answerConsent(id, answer, browser: browser, session: cookie, call: call)
                }
                #expect(refused?.staleness == .unknown)
            }
            let unchosen = await refusal {
                try await bench.flows.chooseAccount(id, browser: browser, session: cookie, call: call)
            }
            #expect(unchosen?.staleness == .unknown)
        }
        var late = own
        late.now = own.now + .minutes(31)
        let expired = await refusal { [late] in
            _ = try await flow(pending.id, browser: browser, session: cookie, call: late)
        }
        #expect(expired?.staleness == .expired && expired?.response == nil)
        #expect(try await bench.proceed(pending, in: browser, cookie).kind == "code")
        let again = await refusal { _ = try await bench.proceed(pending, in: browser, cookie) }
        #expect(again?.staleness == .completed && again?.response == nil)
        #expect(try await Reaper(store: bench.ports.store).pass(at: own.now + .days(3)).authorizations == 1)
    }

    @Test("R11.5 what the operator has taken from the client meanwhile, it is not given after all")
    func rulesAskedAgain() async throws {
        typealias Row = (@Sendable (inout Client) -> Void, AuthorizationErrorCode, Bool)
        let rows: [Row] = [
            ({ $0.settings.authorization.redirectURIs = ["https://new.example/"] }, .invalidRequest, false),
            ({ $0.settings.authorization.grants = [] }, .unauthorizedClient, true),
            ({ $0.settings.authorization.isEnabled = false }, .unauthorizedClient, true),
        ]
        for (change, wanted, isSent) in rows {
            let bench = try await Bench { _ in
            } _: {
                $0.settings.authorization.consent = .notAsked
            }
            let browser = bench.browser()
            let pending = try #require(try await bench.step(in: browser, nil).pending)
            let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
            var client = bench.client
            change(&client)
            try await bench.ports.store.write { [client] in try $0.update(client) }
            let refused = await refusal { _ = try await bench.proceed(pending, in: browser, cookie) }
            #expect(refused?.code == wanted && (refused?.response != nil) == isSent)
        }
    }

    @Test("R11.1 of 50 pages that answer one request at once, one brings a code")
    func race() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let browser = bench.browser()
        let pending = try #require(try await bench.step(in: browser, nil).pending)
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 {
                group.addTask { try? await bench.proceed(pending, in: browser, cookie).response?.code }
            }
            return await group.reduce(into: [String]()) { if let code = $1 { $0.append(code) } }
        }
        #expect(codes.count == 1)
    }

    @Test("R11.1 prompt=login is met by proving anew who one is, in the same session, by nobody else's sign-in")
    func again() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let user = try await bench.user("ada@example.com")
        let browser = bench.browser()
        let former = try await bench.browserSession(user)
        let child = try await bench.exchange(try await bench.code(nil, former.cookie))
        bench.base.advance(by: .minutes(2))
        let parameters = AuthorizationParameters(prompts: [.login])
        let begun = try await bench.step(nil, parameters, in: browser, former.cookie)
        #expect(begun.kind == "sign in again")
        let pending = try #require(begun.pending)
        #expect(try await bench.proceed(pending, in: browser, former.cookie).kind == "sign in again")
        let renewed = try await bench.browserSession(user, over: former.cookie)
        #expect(renewed.session.id == former.session.id && renewed.cookie.reveal() != former.cookie.reveal())
        // Whoever took the cookie of before has nothing by the new proof, and the user keeps what is theirs.
        #expect(try await bench.proceed(pending, in: browser, former.cookie).kind == "sign in")
        #expect(try await bench.flows.browserSessions.find(former.cookie, call: bench.call()) == nil)
        #expect(try await bench.flows.browserSessions.end(former.cookie, call: bench.call()) == nil)
        #expect(try await bench.flows.browserSessions.find(renewed.cookie, call: bench.call()) != nil)
        #expect(renewed.session.authenticatedAt == bench.base.now)
        let code = try #require(try await bench.proceed(pending, in: browser, renewed.cookie).response?.code)
        #expect(try await bench.exchange(code).session.authenticatedAt == bench.base.now)
        // What was given before says what it was given by.
        let refreshed = try await bench.refresh(child)
        #expect(refreshed.session.authenticatedAt == former.session.authenticatedAt)

        let stranger = try await bench.browserSession(try await bench.user("bob@example.com"), over: renewed.cookie)
        #expect(stranger.session.id != former.session.id)
        #expect(try await bench.session(former.session.id)?.revocation == .replaced)
        await #expect(throws: AuthError(.refreshTokenNotFound)) { try await bench.refresh(refreshed) }
    }

    @Test("R11.1 a chosen account is gone on with; another's choice, or none, is not")
    func chosen() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let browser = bench.browser()
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        bench.base.advance(by: .minutes(1))
        let begun = try await bench.step(
            nil, AuthorizationParameters(prompts: [.selectAccount]), in: browser, cookie)
        let pending = try #require(begun.pending)
        #expect(begun.kind == "choose")
        try await bench.flows.chooseAccount(pending.id, browser: browser, session: nil, call: bench.call())
        #expect(try await bench.proceed(pending, in: browser, cookie).kind == "choose")
        try await bench.flows.chooseAccount(pending.id, browser: browser, session: cookie, call: bench.call())
        #expect(try await bench.proceed(pending, in: browser, cookie).kind == "code")
    }

    @Test("R11.1 RFC 9126: a pushed request is its client's, may be visited again, and is answered once")
    func pushed() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
            $0.settings.authorization.requiresPushedRequests = true
        }
        let other = try await Bench.add("other", to: bench.base)
        let flow = bench.flows.beginAuthorization
        let pushed = try await flow(
            bench.request(), AuthorizationParameters(state: "s"), browser: nil, pushed: true, call: bench.call())
        #expect(pushed.id.rawValue.utf8.count == 32 && pushed.browser == nil)
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let foreign = await refusal {
            _ = try await flow.visit(pushed.id, browser: bench.browser(), session: nil, call: bench.call(other))
        }
        #expect(foreign?.staleness == .unknown)
        let visitors = [bench.browser(), bench.browser()]
        var visits: [PendingAuthorization] = []
        for browser in visitors {
            let step = try await flow.visit(pushed.id, browser: browser, session: nil, call: bench.call())
            visits.append(try #require(step.pending))
        }
        // The pushed request itself is nobody's to go on with, and a visit is nothing that can be visited.
        let direct = await refusal { _ = try await bench.proceed(pushed, in: visitors[0], cookie) }
        #expect(direct?.staleness == .unknown)
        let nested = await refusal {
            _ = try await flow.visit(visits[0].id, browser: visitors[0], session: nil, call: bench.call())
        }
        #expect(nested?.staleness == .unknown)
        let answer = try #require(try await bench.proceed(visits[1], in: visitors[1], cookie).response)
        #expect(answer.code != nil && answer.parameters.last?.value == "s")
        let late = await refusal { _ = try await bench.proceed(visits[0], in: visitors[0], cookie) }
        #expect(late?.staleness == .completed)
        let used = await refusal {
            _ = try await flow.visit(pushed.id, browser: visitors[0], session: nil, call: bench.call())
        }
        #expect(used?.staleness == .completed)
        let second = try await flow(
            bench.request(), AuthorizationParameters(), browser: nil, pushed: true, call: bench.call())
        bench.base.advance(by: .minutes(10))
        let expired = await refusal {
            _ = try await flow.visit(second.id, browser: visitors[0], session: cookie, call: bench.call())
        }
        #expect(expired?.staleness == .expired)
    }

    @Test("R11.1 of 50 browsers that answer one pushed request at once, one gets a code")
    func pushedRace() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let flow = bench.flows.beginAuthorization
        let pushed = try await flow(
            bench.request(), AuthorizationParameters(), browser: nil, pushed: true, call: bench.call())
        let codes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let step = try? await flow.visit(
                        pushed.id, browser: bench.browser(), session: cookie, call: bench.call())
                    return step?.response?.code != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(codes == 1)
    }
}
