// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// The provider with two clients of one Directory, a user, and browsers that come to it.
struct ProviderBench: Sendable {
    static let url = "https://id.example"
    static let redirectURI = "https://app.example/back"
    static let signOutURI = "https://app.example/out"
    static let verifier = String(repeating: "v", count: 64)
    static let scopes = ["openid", "profile", "email", "phone", "offline_access", "notes/read", "notes/write"]

    let accounts: AccountBench
    let provider: OpenIDProvider
    /// Shows its secret in the header.
    let web: Client
    let secret: String
    /// Has none.
    let app: Client
    let user: User
    private let http: HTTPBench

    init(_ change: @Sendable (inout ClientSettings) -> Void = { _ in }) async throws {
        accounts = try await AccountBench()
        provider = OpenIDProvider(
            accounts: accounts.flows, tokens: OwnTokens(accounts.keys), settings: .init(url: ServerURL(Self.url)))
        http = HTTPBench(provider, clock: accounts.clock)
        web = try await Self.addClient("Web", .secretBasic, to: accounts, change)
        secret = try #require(web.secrets.first?.text?.reveal())
        app = try await Self.addClient("App", .publicClient, to: accounts, change)
        user = try await Self.addUser("ada@example.com", to: accounts)
    }

    @discardableResult
    static func addClient(
        _ name: String, _ method: ClientAuthenticationMethod, to accounts: AccountBench, in directory: Directory? = nil,
        _ change: (inout ClientSettings) -> Void = { _ in }
    ) async throws -> Client {
        var settings = ClientSettings()
        settings.authorization.isEnabled = true
        settings.authorization.grants = [.code, .refreshToken, .clientCredentials]
        settings.authorization.redirectURIs = [redirectURI, "https://app.example/other?x=1", "http://127.0.0.1/back"]
        settings.authorization.signOutURIs = [signOutURI]
        settings.authorization.scopes = scopes
        settings.authorization.resources = ["https://api.example", "https://api.example/v2"]
        settings.authorization.authentication = method
        if method == .publicClient { settings.authorization.grants = [.code, .refreshToken] }
        settings.rotatesRefreshTokens = true
        change(&settings)
        var call = accounts.call()
        if let directory { call.directory = directory }
        return try await accounts.flows.clientAdministration.create(
            name: name, withSecret: method.usesSecret, settings: settings, call: call)
    }

    static func addUser(_ email: String, to accounts: AccountBench) async throws -> User {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.emailConfirm = true
        attributes.password = Secret(AccountBench.password)
        attributes.userMetadata = ["name": "Ada Lovelace", "picture": "https://app.example/ada.png"]
        return try await accounts.flows.userAdministration.create(attributes, call: accounts.call()).user
    }

    var now: Instant { accounts.now }

    // MARK: Calls

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> HTTPBench.Reply {
        try await http.send(.get, path, headers: headers)
    }

    func send(_ method: HTTPRequest.Method, _ path: String, headers: HTTPFields) async throws -> HTTPBench.Reply {
        try await http.send(method, path, headers: headers)
    }

    func raw(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields, body: [UInt8]
    ) async throws -> HTTPBench.Reply {
        try await http.send(method, path, headers: headers, body: body)
    }

    /// Posts a form.
    func post(
        _ path: String, _ form: [(String, String)], headers: HTTPFields = [:]
    ) async throws -> HTTPBench.Reply {
        try await http.post(path, form, headers: headers)
    }

    /// The credentials of the client that has a secret.
    var basic: HTTPFields { Self.basic(web.id.rawValue, secret) }

    static func basic(_ id: String, _ secret: String) -> HTTPFields {
        let pair = PercentEncoding.encode(id.utf8) + ":" + PercentEncoding.encode(secret.utf8)
        return [.authorization: "Basic " + Base64.encode(Array(pair.utf8))]
    }

    static func bearer(_ token: String?) -> HTTPFields { [.authorization: "Bearer " + (token ?? "")] }

    // MARK: Browsers

    /// A browser in which the user is signed in, as the page does it.
    func signedIn(_ email: String = "ada@example.com") async throws -> Browser {
        let browser = Browser(self)
        try await signIn(browser, email)
        return browser
    }

    func signIn(_ browser: Browser, _ email: String = "ada@example.com") async throws {
        var call = accounts.call(actor: .unknown)
        call.dialect = .browser
        let cookies = BrowserCookies(url: Self.url)
        var request = HTTPFields()
        request[.cookie] = browser.cookie
        let former = cookies.session(in: request, of: accounts.directory.id)
        let issued = try await accounts.flows.passwordSignIn(
            .email(try EmailAddress(email)), password: Secret(AccountBench.password), call: call.inBrowser
        ).session()
        let session = try await accounts.flows.browserSessions.begin(issued, over: former, call: call)
        browser.take(cookies.opening(session.cookie, of: accounts.directory.id).value)
    }

    /// The parameters of a usual request.
    func request(_ client: Client? = nil, _ changes: [String: String?] = [:]) -> [(String, String)] {
        var form: [(String, String)] = [
            ("response_type", "code"), ("client_id", (client ?? web).id.rawValue),
            ("redirect_uri", Self.redirectURI), ("scope", "openid email"), ("state", "s t&=ä"), ("nonce", "n-1"),
            ("code_challenge", PKCE.challenge(for: Self.verifier)), ("code_challenge_method", "S256"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            form.removeAll { $0.0 == name }
            if let value { form.append((name, value)) }
        }
        return form
    }

    /// A code, by a browser where the user is signed in.
    func code(_ browser: Browser, _ client: Client? = nil, _ changes: [String: String?] = [:]) async throws -> String {
        let reply = try await browser.authorize(request(client, changes))
        return try #require(reply.answer["code"], "\(reply.status) \(reply.text)")
    }

    func exchange(
        _ code: String, _ client: Client? = nil, _ changes: [String: String?] = [:], headers: HTTPFields? = nil
    ) async throws -> HTTPBench.Reply {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        if let client, client.id != web.id { form["client_id"] = client.id.rawValue }
        for (name, value) in changes { form[name] = value }
        let isWeb = client == nil || client?.id == web.id
        return try await post(
            "/oauth2/token", form.map { ($0.key, $0.value) }, headers: headers ?? (isWeb ? basic : [:]))
    }

    /// The tokens of a new grant.
    func tokens(
        _ browser: Browser? = nil, _ client: Client? = nil, _ changes: [String: String?] = [:]
    ) async throws -> HTTPBench.Reply {
        let known = try await browser == nil ? signedIn() : browser
        let browser = try #require(known)
        let reply = try await exchange(code(browser, client, changes), client)
        #expect(reply.status == 200, "\(reply.text)")
        return reply
    }

    func refresh(_ token: String?, _ changes: [String: String?] = [:], headers: HTTPFields? = nil) async throws
        -> HTTPBench.Reply
    {
        var form = ["grant_type": "refresh_token", "refresh_token": token ?? ""]
        for (name, value) in changes { form[name] = value }
        return try await post("/oauth2/token", form.map { ($0.key, $0.value) }, headers: headers ?? basic)
    }

    func clientCredentials(_ changes: [(String, String)] = []) async throws -> HTTPBench.Reply {
        try await post("/oauth2/token", [("grant_type", "client_credentials")] + changes, headers: basic)
    }

    func introspect(_ token: String?) async throws -> JSONObject {
        try await post("/oauth2/introspect", [("token", token ?? "")], headers: basic).json
    }

    // MARK: Tokens

    /// What a token says, by the published keys.
    func claims(_ token: String?, at path: String = "/.well-known/jwks.json") async throws -> JSONObject {
        let parsed = try ParsedJWS(parsing: try #require(token).utf8)
        let set = try JWKSet(parsing: try await get(path).text.utf8)
        let key = try #require(set.keys.first { $0.keyID == parsed.header.keyID })
        try parsed.verify(with: try VerificationKey(key))
        return try JSONObject(parsing: parsed.payload)
    }

    static func header(_ token: String?) throws -> JOSEHeader {
        try ParsedJWS(parsing: try #require(token).utf8).header
    }
}
