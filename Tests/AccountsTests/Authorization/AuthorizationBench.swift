// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// A Directory with a client, and browsers that come to it.
struct AuthorizationBench: Sendable {
    static let redirectURI = "https://app.example/back"
    static let verifier = String(repeating: "v", count: 64)

    let base: AccountBench
    let client: Client

    var flows: AccountFlows { base.flows }
    var ports: AccountPorts { base.ports }

    /// - Parameter change: of a public client that asks for consent once.
    init(
        _ settings: (inout DirectorySettings) -> Void = { _ in }, _ change: (inout Client) -> Void = { _ in }
    ) async throws {
        base = try await AccountBench(settings)
        client = try await Self.add("app", to: base, change)
    }

    @discardableResult
    static func add(
        _ id: String, to base: AccountBench, _ change: (inout Client) -> Void = { _ in }
    ) async throws -> Client {
        var client = Client(
            id: ClientID(id), directoryID: base.directory.id, name: id, createdAt: base.now, updatedAt: base.now)
        client.settings.authorization.isEnabled = true
        client.settings.authorization.grants = [.code, .refreshToken]
        client.settings.authorization.redirectURIs = [redirectURI]
        client.settings.authorization.scopes = ["openid", "email", "profile", "offline_access", "notes/read"]
        client.settings.authorization.consent = .remembered
        change(&client)
        let made = client
        try await base.ports.store.write { try $0.insert(made) }
        return made
    }

    func call(_ client: Client? = nil) -> CallContext {
        var call = base.call(actor: .unknown)
        call.dialect = DialectName("openid")
        call.client = client ?? self.client
        return call
    }

    func browser() -> BrowserID { BrowserID(random: ports.random) }

    @discardableResult
    func user(_ email: String) async throws -> User {
        let (id, now) = (base.directory.id, base.now)
        return try await ports.write(call()) { step in
            var user = try step.newUser()
            user.email = try EmailAddress(email)
            user.emailVerifiedAt = now
            user.directoryID = id
            try step.tx.insert(user)
            return user
        }
    }

    /// Signs somebody in to a browser, as a page does. Gives the cookie.
    func signIn(_ user: User, over former: Secret<String>? = nil) async throws -> Secret<String> {
        try await browserSession(user, over: former).cookie
    }

    func browserSession(_ user: User, over former: Secret<String>? = nil) async throws -> BrowserSession {
        let issued = try await ports.write(call().inBrowser) { step in
            let current = try #require(try step.tx.user(user.id, in: user.directoryID))
            return try SessionIssuer(step).conclude(SignInProof(.password, at: step.now), of: current).get().session()
        }
        return try await flows.browserSessions.begin(issued, over: former, call: call())
    }

    func request(
        scopes: [String] = ["openid", "email"], challenge: CodeChallenge? = CodeChallenge(for: verifier),
        redirectURI: String? = redirectURI, _ change: (inout AuthorizationRequest) -> Void = { _ in }
    ) -> AuthorizationRequest {
        var request = AuthorizationRequest(redirectURI: redirectURI, scopes: scopes, nonce: "n", challenge: challenge)
        change(&request)
        return request
    }

    func step(
        _ request: AuthorizationRequest? = nil, _ parameters: AuthorizationParameters = AuthorizationParameters(),
        in browser: BrowserID, _ cookie: Secret<String>?, client: Client? = nil
    ) async throws -> AuthorizationStep {
        try await flows.beginAuthorization.step(
            request ?? self.request(), parameters, browser: browser, session: cookie, call: call(client))
    }

    func proceed(
        _ pending: PendingAuthorization, in browser: BrowserID, _ cookie: Secret<String>?
    ) async throws -> AuthorizationStep {
        try await flows.continueAuthorization(pending.id, browser: browser, session: cookie, call: call())
    }

    /// A code of a browser where somebody is signed in and agrees to what is asked.
    func code(
        _ request: AuthorizationRequest? = nil, _ cookie: Secret<String>, client: Client? = nil
    ) async throws -> String {
        let browser = browser()
        var step = try await step(request, in: browser, cookie, client: client)
        if case .consent(let pending, _, _) = step {
            try await flows.answerConsent(pending.id, .allow(), browser: browser, session: cookie, call: call(client))
            step = try await flows.continueAuthorization(
                pending.id, browser: browser, session: cookie, call: call(client))
        }
        return try #require(step.response?.code)
    }

    @discardableResult
    func exchange(
        _ code: String, verifier: String? = verifier, redirectURI: String? = redirectURI, client: Client? = nil
    ) async throws -> IssuedSession {
        try await flows.exchangeCode(
            code: code, verifier: verifier, redirectURI: redirectURI, call: call(client)
        ).session()
    }

    func refresh(
        _ issued: IssuedSession, scopes: [String]? = nil, client: Client? = nil
    ) async throws -> IssuedSession {
        try await flows.refreshSession(issued.refreshToken.reveal(), scopes: scopes, call: call(client))
    }

    /// How many requests wait for their answers or were kept with them.
    func pendingCount() async throws -> Int {
        try await Reaper(store: ports.store).pass(at: base.now + .days(9)).authorizations
    }

    func ban(_ user: User) async throws {
        let end = base.now + .days(1)
        try await ports.store.write { tx in
            var banned = try #require(try tx.user(user.id, in: user.directoryID))
            banned.bannedUntil = end
            try tx.update(banned)
        }
    }

    func session(_ id: SessionID) async throws -> Session? {
        try await ports.store.read { [directory = base.directory.id] in try $0.session(id, in: directory) }
    }
}

extension AuthorizationStep {
    /// What it is, without what it is about.
    var kind: String {
        switch self {
        case .signIn(_, let again): again ? "sign in again" : "sign in"
        case .signUp: "sign up"
        case .chooseAccount: "choose"
        case .secondFactor: "second factor"
        case .terms: "terms"
        case .consent: "consent"
        case .respond(let response): response.code == nil ? response.error?.rawValue ?? "?" : "code"
        }
    }
}

/// The refusal that `work` ends in.
func refusal(_ work: () async throws -> Void) async -> AuthorizationRefusal? {
    do {
        try await work()
        return nil
    } catch let refusal as AuthorizationRefusal {
        return refusal
    } catch {
        Issue.record("\(error)")
        return nil
    }
}
