// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Logging
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// OpenID Connect Back-Channel Logout 1.0.
@Suite struct BackchannelLogoutTests {
    private static let uri = "https://app.example/logged-out"

    /// What a client is told that asked for it, when its user signs out.
    static func posted() async throws -> JSONObject {
        let suite = Self()
        let bench = try await suite.bench()
        let browser = try await bench.signedIn()
        try await suite.signOut(browser, bench, try #require(try await bench.tokens(browser)["id_token"]?.stringValue))
        let client = RecordingClient()
        _ = await suite.worker(bench, client).deliverDue(at: bench.now)
        return try await bench.claims(String(try #require(client.posts.first).form.dropFirst("logout_token=".count)))
    }

    @Test("R11.1 Core, section 2: who was brought along with the name of another provider is called so in every token")
    func elsewhere() async throws {
        let bench = try await bench()
        let name = try ExternalIdentifier("auth0|ada")
        try await bench.accounts.ports.store.write { [user = bench.user] tx in
            var other = User(
                id: UserID("other"), directoryID: user.directoryID,
                externalIdentifiers: ExternalIdentifiers(name, in: OpenIDProvider.name), createdAt: user.createdAt)
            other.email = try EmailAddress("other@example.com")
            other.emailVerifiedAt = user.createdAt
            other.passwordHash = try tx.user(user.id, in: user.directoryID)?.passwordHash
            try tx.insert(other)
        }
        let browser = try await bench.signedIn("other@example.com")
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        #expect(try await bench.claims(hint)["sub"] == "auth0|ada")
        let silent = try await browser.authorize(bench.request(nil, ["prompt": "none", "id_token_hint": hint]))
        #expect(silent.answer["code"] != nil, "\(silent.location ?? "")")
        try await signOut(browser, bench, hint)
        let client = RecordingClient()
        _ = await worker(bench, client).deliverDue(at: bench.now)
        let post = try #require(client.posts.first)
        #expect(try await bench.claims(String(post.form.dropFirst("logout_token=".count)))["sub"] == "auth0|ada")
    }

    private func bench() async throws -> ProviderBench {
        try await ProviderBench { $0.authorization.backchannelLogoutURI = Self.uri }
    }

    private func worker(_ bench: ProviderBench, _ client: RecordingClient) -> OutboxWorker {
        OutboxWorker(
            store: bench.accounts.ports.store, random: bench.accounts.ports.random,
            transports: OutboxTransports(
                mail: nil, texts: nil, logouts: BackchannelLogout(bench.provider, poster: client)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Signs the browser out, as a client sends it to be.
    private func signOut(_ browser: Browser, _ bench: ProviderBench, _ hint: String) async throws {
        let form = [("id_token_hint", hint), ("post_logout_redirect_uri", ProviderBench.signOutURI)]
        let reply = try await browser.get("/oauth2/logout?" + HTTPBench.encoded(form))
        #expect(reply.status == 303)
    }

    @Test(
        "R11.1 Back-Channel Logout, sections 2.4 and 2.5: each client of the browser's session is posted a token that says which, once"
    )
    func told() async throws {
        let bench = try await bench()
        let browser = try await bench.signedIn()
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        _ = try await bench.tokens(browser, bench.app)
        let client = RecordingClient()
        let worker = worker(bench, client)
        #expect(await worker.deliverDue(at: bench.now) == nil)
        #expect(client.posts.isEmpty)
        try await signOut(browser, bench, hint)
        _ = await worker.deliverDue(at: bench.now)
        _ = await worker.deliverDue(at: bench.now + .hours(1))
        let session = try await bench.claims(hint)["sid"]
        #expect(session != nil && client.posts.count == 2)
        var told: Set<String> = []
        for post in client.posts {
            #expect(post.url == Self.uri)
            let token = String(post.form.dropFirst("logout_token=".count))
            let header = try ProviderBench.header(token)
            #expect(header.type == "logout+jwt" && header.algorithm == .rs256)
            let claims = try await bench.claims(token)
            #expect(claims["iss"] == .string(ProviderBench.url) && claims["sid"] == session)
            #expect(claims["sub"] == .string(bench.user.id.rawValue))
            #expect(claims["iat"] == .integer(bench.now.seconds))
            #expect(claims["exp"] == .integer(bench.now.seconds + 120))
            #expect(claims["events"] == ["http://schemas.openid.net/event/backchannel-logout": [:]])
            #expect(claims["nonce"] == nil && claims["jti"]?.stringValue?.utf8.count == 22)
            told.insert(claims["aud"]?.stringValue ?? "")
        }
        #expect(told == [bench.web.id.rawValue, bench.app.id.rawValue])
    }

    @Test("R11.1 Back-Channel Logout, section 2.4: a client that has its ID tokens by ES256 has this one so")
    func algorithm() async throws {
        let bench = try await ProviderBench {
            $0.authorization.backchannelLogoutURI = Self.uri
            $0.authorization.idTokenAlgorithm = .es256
        }
        let browser = try await bench.signedIn()
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        try await signOut(browser, bench, hint)
        let client = RecordingClient()
        _ = await worker(bench, client).deliverDue(at: bench.now)
        let token = String(try #require(client.posts.first).form.dropFirst("logout_token=".count))
        #expect(try ProviderBench.header(token).algorithm == .es256)
        #expect(try await bench.claims(token)["aud"] == .string(bench.web.id.rawValue))
    }

    @Test(
        "R11.1 Back-Channel Logout, section 2.8: who does not answer is tried again with a token of its own, who refuses is not"
    )
    func answers() async throws {
        for (status, state) in [
            (200, .sent), (204, .sent), (400, .failed), (404, .failed), (302, .failed), (429, .pending),
            (503, .pending), (nil, .pending),
        ] as [(Int?, OutboxMessage.State)] {
            let bench = try await bench()
            let browser = try await bench.signedIn()
            let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
            try await signOut(browser, bench, hint)
            let client = RecordingClient()
            client.status = status
            let worker = worker(bench, client)
            let next = await worker.deliverDue(at: bench.now)
            let message = try await bench.accounts.message(to: bench.web.id.rawValue)
            #expect(message.state == state, "\(status ?? 0)")
            guard let next else { continue }
            client.status = 200
            _ = await worker.deliverDue(at: next)
            #expect(Set(client.posts.map(\.form)).count == 2 && client.posts.count == 2)
            #expect(try await bench.accounts.message(to: bench.web.id.rawValue).state == .sent)
        }
    }

    @Test(
        "R45 R11.1 a client at an address that may not be called waits, and the operator reads which setting would let it"
    )
    func refusedAddress() async throws {
        let bench = try await bench()
        let browser = try await bench.signedIn()
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        try await signOut(browser, bench, hint)
        let client = RecordingClient()
        (client.status, client.failure) = (nil, .addressRefused)
        let worker = worker(bench, client)
        let next = try #require(await worker.deliverDue(at: bench.now))
        let message = try await bench.accounts.message(to: bench.web.id.rawValue)
        #expect(message.state == .pending && message.lastError?.contains("clients.privateHosts") == true)
        #expect(message.lastError?.contains("app.example") == false)
        client.status = 200
        _ = await worker.deliverDue(at: next)
        #expect(try await bench.accounts.message(to: bench.web.id.rawValue).state == .sent)
    }

    @Test("R11.1 a client that wants to hear nothing any more is told nothing, and nothing is called sent")
    func gone() async throws {
        let bench = try await bench()
        let browser = try await bench.signedIn()
        let hint = try #require(try await bench.tokens(browser)["id_token"]?.stringValue)
        try await signOut(browser, bench, hint)
        _ = try await bench.accounts.flows.clientAdministration.update(bench.web.id, call: bench.accounts.call()) {
            $0.authorization.backchannelLogoutURI = nil
        }
        bench.accounts.flows.clients.invalidate()
        let client = RecordingClient()
        #expect(await worker(bench, client).deliverDue(at: bench.now) == nil)
        #expect(client.posts.isEmpty)
        #expect(try await bench.accounts.message(to: bench.web.id.rawValue).state == .failed)
    }
}

/// Answers as it is told to.
private final class RecordingClient: FormPosting {
    private struct State {
        var posts: [(url: String, form: String)] = []
        var status: Int? = 200
        var failure = FormPostFailure.unreachable
    }

    private let state = Mutex(State())

    var posts: [(url: String, form: String)] { state.withLock { $0.posts } }
    /// `nil` where nobody answers.
    var status: Int? {
        get { state.withLock { $0.status } }
        set { state.withLock { $0.status = newValue } }
    }

    /// What is told then.
    var failure: FormPostFailure {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    func post(form: String, to url: String) async throws(FormPostFailure) -> Int {
        state.withLock { $0.posts.append((url, form)) }
        guard let status else { throw failure }
        return status
    }
}
