// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
import AppAPI
import AuthTypes
import CognitoAPI
import HTTPTypes
import JOSE
import OpenIDProvider
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

/// The provider with the hosted UI in front of it, and the pool's own operations: one pool, two app clients, one user.
struct HostedBench: Sendable {
    static let url = "https://id.example"
    static let redirectURI = "https://app.example/back"
    static let signOutURI = "https://app.example/out"
    static let verifier = String(repeating: "v", count: 64)
    static let scopes = ["openid", "email", "phone", "profile", "aws.cognito.signin.user.admin", "notes/read"]

    let accounts: AccountBench
    let cognito: CognitoDialect
    let provider: OpenIDProvider
    private let http: HTTPBench
    private let operations: HTTPBench
    private let appAPI: HTTPBench
    /// Has a secret.
    let web: String
    let secret: String
    /// Has none.
    let app: String

    init(_ members: JSONObject = [:], identityProviders: (any IdentityProviding)? = nil) async throws {
        accounts = try await AccountBench(identityProviders: identityProviders)
        let tokens = OwnTokens(accounts.keys)
        cognito = CognitoDialect(
            accounts: accounts.flows, tokens: tokens,
            settings: .init(url: ServerURL(Self.url), acceptsAnyAdministrator: true))
        provider = OpenIDProvider(
            accounts: accounts.flows, tokens: tokens, settings: .init(url: ServerURL(Self.url)), dialects: [cognito])
        let provider = provider
        let pages = AccountPages(accounts: accounts.flows, url: ServerURL(Self.url), dialects: [cognito])
        http = HTTPBench(
            clock: accounts.clock, surfaces: pages.surfaces + provider.surfaces, errors: provider.errors
        ) {
            provider.addRoutes(to: $0, routes: $1)
            pages.addRoutes(to: $0, routes: $1)
        }
        operations = HTTPBench(cognito, clock: accounts.clock)
        let (clock, url) = (accounts.clock, ServerURL(Self.url))
        let api = AppAPI(
            accounts: accounts.flows, tokens: tokens, issuers: [cognito, provider], clock: { clock.now })
        appAPI = HTTPBench(clock: clock, surfaces: api.surfaces, errors: api.errors) {
            api.addRoutes(to: $0, routes: $1, url: url)
        }
        _ = try await Self.operation(
            operations, "CreateResourceServer",
            [
                "UserPoolId": .string(cognito.poolID(of: accounts.directory)), "Identifier": "notes", "Name": "Notes",
                "Scopes": [["ScopeName": "read", "ScopeDescription": "Read notes"]],
            ])
        let web = try await Self.makeClient(
            operations, cognito.poolID(of: accounts.directory), members.merging(["GenerateSecret": true]))
        self.web = try #require(web["ClientId"]?.stringValue)
        secret = try #require(web["ClientSecret"]?.stringValue)
        let app = try await Self.makeClient(operations, cognito.poolID(of: accounts.directory), members)
        self.app = try #require(app["ClientId"]?.stringValue)
        try await addUser("ada@example.com", name: "ada")
    }

    var poolID: String { cognito.poolID(of: accounts.directory) }
    var issuer: String { Self.url + "/" + poolID }
    var now: Instant { accounts.now }

    // MARK: What is there

    private static func makeClient(
        _ operations: HTTPBench, _ pool: String, _ members: JSONObject
    ) async throws -> JSONObject {
        let usual: JSONObject = [
            "UserPoolId": .string(pool), "ClientName": "app", "AllowedOAuthFlowsUserPoolClient": true,
            "AllowedOAuthFlows": ["code"], "AllowedOAuthScopes": .array(scopes.map { .string($0) }),
            "CallbackURLs": [.string(redirectURI), "https://app.example/other", "myapp://back"],
            "LogoutURLs": [.string(signOutURI)], "SupportedIdentityProviders": ["COGNITO"],
            "ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"],
        ]
        let reply = try await operation(operations, "CreateUserPoolClient", usual.merging(members))
        return try #require(reply["UserPoolClient"]?.objectValue, "\(reply.status) \(reply.text)")
    }

    /// Another client of the pool.
    func makeClient(_ members: JSONObject) async throws -> JSONObject {
        try await Self.makeClient(operations, poolID, members)
    }

    func addUser(_ email: String, name: String) async throws {
        let pool = JSONValue.string(poolID)
        let made = try await operation(
            "AdminCreateUser",
            [
                "UserPoolId": pool, "Username": .string(name), "MessageAction": "SUPPRESS",
                "UserAttributes": [
                    ["Name": "email", "Value": .string(email)], ["Name": "email_verified", "Value": "true"],
                    ["Name": "nickname", "Value": "Countess"],
                ],
            ])
        #expect(made.status == 200, "\(made.text)")
        let set = try await operation(
            "AdminSetUserPassword",
            [
                "UserPoolId": pool, "Username": .string(name), "Password": .string(AccountBench.password),
                "Permanent": true,
            ])
        #expect(set.status == 200, "\(set.text)")
    }

    // MARK: Calls

    /// An operation of the pool's, as an administrator or as anybody: those of the public take no signature.
    func operation(_ name: String, _ members: JSONObject) async throws -> HTTPBench.Reply {
        try await Self.operation(operations, name, members)
    }

    private static func operation(
        _ http: HTTPBench, _ name: String, _ members: JSONObject
    ) async throws -> HTTPBench.Reply {
        var headers: HTTPFields = [.contentType: "application/x-amz-json-1.1"]
        headers[try #require(HTTPField.Name("X-Amz-Target"))] = "AWSCognitoIdentityProviderService." + name
        headers[.authorization] =
            "AWS4-HMAC-SHA256 Credential=testkey/20260528/us-east-1/cognito-idp/aws4_request, "
            + "SignedHeaders=host;x-amz-date, Signature=" + String(repeating: "0", count: 64)
        return try await http.send(.post, "/", headers: headers, body: members.serialized())
    }

    func getUser(_ accessToken: String?) async throws -> HTTPBench.Reply {
        try await operation("GetUser", ["AccessToken": .string(accessToken ?? "")])
    }

    /// The App API with an access token.
    func app(_ path: String, _ token: String?) async throws -> HTTPBench.Reply {
        try await appAPI.send(.get, path, headers: Self.bearer(token))
    }

    func document(_ path: String) async throws -> HTTPBench.Reply { try await operations.send(.get, path) }

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: [UInt8]? = nil
    ) async throws -> HTTPBench.Reply {
        try await http.send(method, path, headers: headers, body: body)
    }

    func post(
        _ path: String, _ form: [(String, String)], headers: HTTPFields = [:]
    ) async throws -> HTTPBench.Reply {
        try await http.post(path, form, headers: headers)
    }

    var basic: HTTPFields { Self.basic(web, secret) }

    static func basic(_ id: String, _ secret: String) -> HTTPFields {
        [.authorization: "Basic " + Base64.encode(Array((id + ":" + secret).utf8))]
    }

    static func bearer(_ token: String?) -> HTTPFields { [.authorization: "Bearer " + (token ?? "")] }

    // MARK: Sign-in

    /// A browser in which the user is signed in, as the page does it.
    func signedIn(_ name: String = "ada") async throws -> HostedBrowser {
        let browser = HostedBrowser(self)
        try await signIn(browser, name)
        // What is asked for from now on is younger than the proof.
        accounts.advance(by: .seconds(1))
        return browser
    }

    func signIn(_ browser: HostedBrowser, _ name: String = "ada") async throws {
        var call = accounts.call(actor: .unknown)
        call.dialect = .browser
        let issued = try await accounts.flows.passwordSignIn(
            .username(try Username(name)), password: Secret(AccountBench.password), call: call.inBrowser
        ).session()
        let session = try await accounts.flows.browserSessions.begin(issued, over: nil, call: call)
        browser.take(
            BrowserCookies(url: Self.url).opening(session.cookie, of: accounts.directory.id).value)
    }

    /// The parameters of a usual request.
    func request(_ client: String? = nil, _ changes: [String: String?] = [:]) -> [(String, String)] {
        var form: [(String, String)] = [
            ("response_type", "code"), ("client_id", client ?? web), ("redirect_uri", Self.redirectURI),
            ("scope", "openid email"), ("state", "s t&=ä"), ("nonce", "n-1"),
            ("code_challenge", PKCE.challenge(for: Self.verifier)), ("code_challenge_method", "S256"),
            ("identity_provider", "COGNITO"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            form.removeAll { $0.0 == name }
            if let value { form.append((name, value)) }
        }
        return form
    }

    func code(
        _ browser: HostedBrowser, _ client: String? = nil, _ changes: [String: String?] = [:]
    ) async throws -> String {
        let reply = try await browser.authorize(request(client, changes))
        return try #require(reply.answer["code"], "\(reply.status) \(reply.text)")
    }

    func exchange(
        _ code: String, _ client: String? = nil, _ changes: [String: String?] = [:], headers: HTTPFields? = nil
    ) async throws -> HTTPBench.Reply {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        if let client, client != web { form["client_id"] = client }
        for (name, value) in changes { form[name] = value }
        let isWeb = client == nil || client == web
        return try await post(
            "/oauth2/token", form.map { ($0.key, $0.value) }, headers: headers ?? (isWeb ? basic : [:]))
    }

    /// The tokens of a new grant.
    func tokens(
        _ known: HostedBrowser? = nil, _ client: String? = nil, _ changes: [String: String?] = [:]
    ) async throws -> HTTPBench.Reply {
        let browser = if let known { known } else { try await signedIn() }
        let reply = try await exchange(code(browser, client, changes), client)
        #expect(reply.status == 200, "\(reply.text)")
        return reply
    }

    func refresh(
        _ token: String?, _ changes: [String: String?] = [:], headers: HTTPFields? = nil
    ) async throws -> HTTPBench.Reply {
        var form = ["grant_type": "refresh_token", "refresh_token": token ?? ""]
        for (name, value) in changes { form[name] = value }
        return try await post("/oauth2/token", form.map { ($0.key, $0.value) }, headers: headers ?? basic)
    }

    /// What a token says, by the keys that the pool publishes.
    func claims(_ token: String?) async throws -> JSONObject {
        let parsed = try ParsedJWS(parsing: try #require(token).utf8)
        let set = try JWKSet(parsing: try await document("/\(poolID)/.well-known/jwks.json").text.utf8)
        let key = try #require(set.keys.first { $0.keyID == parsed.header.keyID })
        try parsed.verify(with: try VerificationKey(key), allowing: [.rs256])
        return try JSONObject(parsing: parsed.payload)
    }
}
