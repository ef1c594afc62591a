// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import LatchkeyClient
import TestSupport
import Testing

@MainActor @Suite("G-11 Terms before a sign-in") struct TermsModelTests {
    nonisolated private static let page = "https://login.example.com/account/terms?agreement=sealed"
    nonisolated private static let catalog: JSONObject = [
        "terms": [
            [
                "name": "terms", "version": "2", "kind": "document", "demanded": true,
                "texts": [
                    "en": ["title": "Terms", "url": "https://app.example/terms"],
                    "de": ["title": "Nutzungsbedingungen"],
                ],
            ],
            [
                "name": "news", "version": "1", "kind": "purpose", "demanded": false,
                "texts": ["de": ["title": "Neues", "url": "javascript:alert(1)"]],
            ],
            ["name": "a=b", "version": "1", "texts": [:]], ["name": "x,y=1", "version": "1"], ["version": "1"],
        ], "upcoming": [],
    ]

    /// A server that gives no session before the second version was agreed to.
    private struct Bench {
        let service: SessionService
        let transport: ScriptedTransport
        let source: AppAPITerms

        init() throws {
            let transport = ScriptedTransport { request, _ throws(TransportError) in
                if request.url.hasSuffix("/v1/terms") {
                    return HTTPResponse(status: 200, body: TermsModelTests.catalog.serialized())
                }
                let said = request.headers.first { $0.name == "X-Agreed-Terms" }?.value
                return HTTPResponse(status: said == "terms=2" ? 200 : 403)
            }
            self.transport = transport
            let agreeing = try AgreeingTransport(transport, to: "https://login.example.com")
            let backend = ScriptedBackend()
            backend.onSignIn { proof throws(AuthError) in
                let host = if case .browser = proof { "https://elsewhere.example" } else { "https://login.example.com" }
                let answer: HTTPResponse
                do { answer = try await agreeing.send(HTTPRequest("POST", host + "/token")) } catch {
                    throw AuthError(.network)
                }
                guard answer.status == 200 else { throw AuthError(termsNotAgreed: TermsModelTests.page) }
                return .session(ScriptedBackend.grant(1, user: SessionUser(subject: "ann")))
            }
            service = SessionService(backend: backend, store: MemoryStore(), clock: ManualClock())
            source = try AppAPITerms(address: "https://login.example.com/", transport: transport)
        }

        var said: [String?] {
            get async {
                await transport.requests.filter { $0.method == "POST" }.map { request in
                    request.headers.first { $0.name == "X-Agreed-Terms" }?.value
                }
            }
        }
    }

    private func model(_ bench: Bench) -> SignInModel {
        SignInModel(
            service: bench.service, failures: SignInFailures(clock: ManualClock()), terms: bench.source,
            support: "help@app.test"
        ) { _ in }
    }

    private func submit(_ model: SignInModel, _ name: String = "ann@a.test") async {
        (model.identifier, model.password) = (name, "Passw0rd!")
        await model.submit()
    }

    @Test("A sign-in that terms stand before says so, shows them and their page, and goes on once they are agreed to")
    func goesOn() async throws {
        let bench = try Bench()
        let model = model(bench)
        #expect(model.terms == nil)
        await submit(model)
        #expect(model.error?.suggestions == [.agreeToTerms(page: Self.page)])
        #expect(model.error?.message.text(in: .en) == "Please agree to the current terms first.")
        let terms = try #require(model.terms)
        #expect(terms.page == Self.page && terms.documents.isEmpty && !terms.isComplete)
        await terms.load(.de)
        #expect(terms.documents.map(\.title) == ["Nutzungsbedingungen", "Neues"])
        #expect(terms.documents.map(\.url) == [nil, nil] && terms.demanded.map(\.id) == ["terms=2"])
        // Looking is not agreeing.
        await submit(model)
        #expect(model.terms === terms && model.error?.code == .termsNotAgreed && !terms.isComplete)
        terms.tick(terms.documents[0], true)
        #expect(terms.isComplete && terms.isTicked(terms.documents[0]))
        await submit(model)
        #expect(model.error == nil && model.terms == nil)
        guard case .signedIn = bench.service.state else { throw AuthError(.internalFailure) }
        #expect(await bench.said == [nil, nil, "terms=2"])
    }

    @Test("Nobody agrees for somebody else, nor for the next sign-in, nor to another server")
    func bound() async throws {
        let bench = try Bench()
        let model = model(bench)
        await submit(model)
        let terms = try #require(model.terms)
        await terms.load()
        #expect(terms.documents[0].title == "Terms" && terms.documents[0].url == "https://app.example/terms")
        for document in terms.documents { terms.tick(document, true) }
        terms.tick(TermsDocument(name: "made", version: "up", title: "x"), true)
        #expect(terms.agreed.map(\.id) == ["terms=2", "news=1"])
        terms.tick(terms.documents[1], false)
        // Somebody else at the same screen.
        await submit(model, "bob@b.test")
        #expect(model.terms !== terms && model.terms?.agreed.isEmpty == true)
        // Elsewhere.
        await model.signIn(provider: "google")
        model.leave()
        #expect(model.terms == nil)
        await submit(model)
        #expect(await bench.said.allSatisfy { $0 == nil })
    }

    @Test("A sign-up waits for what is demanded, and says it")
    func signUp() async throws {
        let bench = try Bench()
        let terms = TermsModel(source: bench.source)
        let model = SignUpModel(service: bench.service, terms: terms) { _ in }
        (model.identifier, model.password.text) = ("ann@a.test", "Passw0rd")
        await terms.load()
        #expect(!model.canSubmit)
        terms.tick(terms.documents[0], true)
        #expect(model.canSubmit)
        terms.tick(terms.documents[0], false)
        #expect(!model.canSubmit)
    }

    @Test("A server that can't be read, and an address that may not be asked, agree to nothing")
    func broken() async throws {
        let silent = ScriptedTransport { _, _ throws(TransportError) in throw .offline }
        let model = TermsModel(
            source: try AppAPITerms(address: "https://login.example.com", transport: silent), support: nil)
        await model.load()
        #expect(model.error?.code == .network && !model.isComplete)
        await TermsModel(page: Self.page, source: nil).load()
        for body: JSONObject in [[:], ["terms": 1]] {
            let odd = ScriptedTransport { _, _ in HTTPResponse(status: 200, body: body.serialized()) }
            let source = try AppAPITerms(address: "http://127.0.0.1:1", transport: odd)
            await #expect(throws: AuthError(.unavailable)) { try await source.current(.en) }
        }
        #expect(throws: AuthError(.insecureTransport)) {
            try AppAPITerms(address: "http://a.example", transport: silent)
        }
        #expect(throws: AuthError(.invalidRequest)) { try AppAPITerms(address: "x", transport: silent) }
        #expect(throws: AuthError(.invalidRequest)) { try AgreeingTransport(silent, to: "x") }
    }

    @Test(
        "R14.8 What a user has agreed to is said with their sign-in, and not by what the session does by itself ever after"
    )
    func inherited() async throws {
        let transport = ScriptedTransport { _, _ in HTTPResponse(status: 200) }
        let agreeing = try AgreeingTransport(transport, to: "https://login.example.com")
        @Sendable func ask(_ name: String) async throws(AuthError) {
            do { _ = try await agreeing.send(HTTPRequest("POST", "https://login.example.com/" + name)) } catch {
                throw AuthError(.network)
            }
        }
        let (backend, clock) = (ScriptedBackend(), ManualClock())
        backend.onSignIn { _ throws(AuthError) in
            try await ask("sign-in")
            return .session(ScriptedBackend.grant(0, user: SessionUser(subject: "ann")))
        }
        backend.onRefresh { _, number throws(AuthError) in
            try await ask("refresh")
            return ScriptedBackend.grant(number + 1)
        }
        let service = SessionService(backend: backend, store: MemoryStore(), clock: clock)
        let document = TermsDocument(name: "terms", version: "2", title: "Terms")
        _ = try await AgreedTerms.saying([document]) { () async throws(AuthError) in
            try await service.signIn(with: .anonymous)
        }
        // The session's own timer, which was begun within the sign-in.
        try await clock.untilSleeping()
        clock.advance(by: .hours(1))
        try await eventually("the session is renewed") { backend.refreshes > 0 }
        try await eventually("the second request is sent") { await transport.requests.count >= 2 }
        let said = await transport.requests.map { request in
            request.headers.first { $0.name == "X-Agreed-Terms" }?.value
        }
        #expect(said == ["terms=2", nil])
    }

    @Test("Only a page that a browser may be sent to is one, and no reason has it")
    func pages() {
        let words: [(String?, String?)] = [
            ("The current terms must be agreed to first: \(Self.page)", Self.page), (Self.page, Self.page),
            ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"), ("http://login.example.com/x", nil),
            ("javascript:alert(1)", nil), ("no page", nil), (nil, nil), ("", nil),
            ("https://login.example.com/" + String(repeating: "x", count: 5_000), nil),
        ]
        for (text, page) in words {
            let error = AuthError(termsNotAgreed: text)
            #expect(error.code == .termsNotAgreed && error.page == page && !"\(error)".contains("agreement"))
            #expect(!error.code.endsSession)
        }
    }
}
