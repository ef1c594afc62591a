// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import HTTPTypes
import ServerKit
import SupabaseAPI
import TestBench
import TestBenchHTTP
import Testing

/// Every dialect over one Directory with one user, who can sign in by each of ``SignInPath``.
final class SignInWorld: Sendable {
    static let email = "ada@example.com"
    static let phone = "+4915112345678"
    static let url = "https://auth.example"
    static let site = "https://app.example"
    static let redirectURI = "https://app.example/back"
    static let verifier = String(repeating: "v", count: 64)
    /// Where somebody agrees to terms whose app can't ask.
    static let page = url + "/account/terms"
    static let terms = TermsReference(name: "terms", version: "1")
    static let toolkit = "/identitytoolkit.googleapis.com"

    let accounts: AccountBench
    let user: UserID
    /// What each dialect's app is known by: Supabase's and Firebase's key, the Cognito and the OpenID client.
    let anon: String
    let key: String
    let client: String
    /// The client that sends its users to the pages: an OpenID client, or one of Cognito's hosted UI.
    let app: ClientID
    let poolID: String
    let jar = CookieJar()
    private let passkey = Mutex<VirtualAuthenticator?>(nil)
    private let providers: ScriptedIdentityProviders
    private let servers: Mutex<Servers>

    /// - Parameter path: the way that is gone. Programs of the operator's are there for the one that goes by them.
    init(for path: SignInPath? = nil) async throws {
        let providers = ScriptedIdentityProviders()
        let hooks = path == .cognitoCustom ? try Self.programs() : Hooks()
        let accounts = try await AccountBench(identityProviders: providers, hooks: hooks) {
            $0.siteURL = Self.site
            $0.redirectAllowList = [Self.site + "/**"]
            $0.signUp.phoneEnabled = true
            $0.passkeys.enabled = true
            $0.deletion.grace = 7 * 86_400
            $0.lockout.attempts = 5
            $0.password.srpEnabled = path?.isBySRP ?? false
            $0.devices.tracked = path?.isOnDevice ?? false
        }
        (self.accounts, self.providers) = (accounts, providers)
        let servers = Servers(accounts.flows, clock: accounts.clock)
        self.servers = Mutex(servers)
        hooks.forms.add(servers.form, of: CognitoDialect.name)
        anon = try await ProjectKeyIssuer(for: accounts.directory, keys: accounts.keys, at: accounts.now).anonymous
        key = try await APIKeyAdministration(accounts.ports).create(
            .publishable, name: "app", in: accounts.directory, at: accounts.now
        ).secret.reveal()
        poolID = servers.poolID(accounts.directory)
        client = try await Self.makeClient(servers.cognito, poolID, for: path)
        app = path?.isHosted == true ? ClientID(client) : try await Self.makeApp(accounts).id
        user = try await Self.makeUser(accounts)
    }

    var now: Instant { accounts.now }

    /// From now on another server answers, which has nothing of this one's but the database.
    func restart() throws {
        let servers = Servers(try accounts.restarted(), clock: accounts.clock)
        self.servers.withLock { $0 = servers }
    }

    private var live: Servers { servers.withLock { $0 } }

    // MARK: What is there

    private static func makeUser(_ accounts: AccountBench) async throws -> UserID {
        let google = IdentityProvider(
            id: accounts.ports.random.identifier(), directoryID: accounts.directory.id, name: "google", kind: .google,
            clientIDs: ["app"], createdAt: accounts.now, updatedAt: accounts.now)
        try await accounts.ports.store.write { try $0.insert(google) }
        accounts.flows.identityProviderCatalog.invalidate()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.phone = try PhoneNumber(phone)
        (attributes.emailConfirm, attributes.phoneConfirm) = (true, true)
        attributes.username = try Username("ada")
        attributes.password = Secret(AccountBench.password)
        let administration = accounts.flows.userAdministration
        let user = try await administration.create(attributes, call: accounts.call()).user.id
        var further = UserAttributes()
        further.identities = [try GivenIdentity(name: "google", subject: "117", data: ["sub": "117"])]
        _ = try await administration.update(user, further, call: accounts.call())
        return user
    }

    private static func makeApp(_ accounts: AccountBench) async throws -> Client {
        var settings = ClientSettings()
        settings.authorization.isEnabled = true
        settings.authorization.grants = [.code, .refreshToken, .deviceCode]
        settings.authorization.redirectURIs = [redirectURI]
        settings.authorization.scopes = ["openid", "email", "offline_access"]
        settings.authorization.authentication = .publicClient
        return try await accounts.flows.clientAdministration.create(
            name: "App", withSecret: false, settings: settings, call: accounts.call())
    }

    private static func makeClient(
        _ server: HTTPBench, _ pool: String, for path: SignInPath?
    ) async throws -> String {
        var flows: [JSONValue] = [
            "ALLOW_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_USER_AUTH",
            "ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_CUSTOM_AUTH",
        ]
        if path?.isBySRP == true { flows.append("ALLOW_USER_SRP_AUTH") }
        var members: JSONObject = [
            "UserPoolId": .string(pool), "ClientName": "app", "PreventUserExistenceErrors": "ENABLED",
            "ExplicitAuthFlows": .array(flows),
        ]
        if path?.isHosted == true {
            let hosted: JSONObject = [
                "AllowedOAuthFlowsUserPoolClient": true, "AllowedOAuthFlows": ["code"],
                "AllowedOAuthScopes": ["openid", "email"], "CallbackURLs": [.string(redirectURI)],
                "SupportedIdentityProviders": ["COGNITO"],
            ]
            members = members.merging(hosted)
        }
        let made = try await operation(server, "CreateUserPoolClient", members)
        return try #require(made["UserPoolClient"]?.objectValue?["ClientId"]?.stringValue, "\(made.text)")
    }

    /// Changes the user as it is stored.
    func change(_ change: @escaping @Sendable (inout User) -> Void) async throws {
        let (id, directory) = (user, accounts.directory.id)
        try await accounts.ports.store.write { tx in
            guard var user = try tx.user(id, in: directory) else { throw AuthError(.userNotFound) }
            change(&user)
            try tx.update(user)
        }
    }

    /// A session of no dialect.
    func signedIn() async throws -> AuthenticatedUser {
        let issued = try await accounts.flows.passwordSignIn(
            .email(try EmailAddress(Self.email)), password: Secret(AccountBench.password),
            call: accounts.call(actor: .unknown)
        ).session()
        return AuthenticatedUser(user: issued.user, identities: [], session: issued.session)
    }

    /// The user's sessions, of whichever dialect.
    func sessions() async throws -> Set<SessionID> {
        let (id, directory) = (user, accounts.directory.id)
        return Set(try await accounts.ports.store.read { try $0.sessions(of: id, in: directory) }.map(\.id))
    }

    /// The user agrees to what is demanded, as on a page.
    func agree() async throws {
        try await accounts.flows.agreeToTerms(
            of: user, agreed: [Self.terms].compactMap(\.self), client: nil, call: accounts.call(actor: .user(user)))
    }

    /// A provider's ID token about the user.
    func vouch() throws -> String {
        func part(_ object: JSONObject) -> String { Base64URL.encode(object.serialized()) }
        let claims: JSONObject = [
            "iss": "https://accounts.google.com", "aud": "app", "sub": "117", "email": .string(Self.email),
            "email_verified": true, "iat": .integer(now.seconds), "exp": .integer(now.seconds + 3600),
        ]
        let token = part(["alg": "RS256", "typ": "JWT"]) + "." + part(claims) + ".AA"
        providers.vouch(
            FederatedProof(
                provider: "google", issuer: "https://accounts.google.com", subject: "117", audience: "app",
                email: try EmailAddress(Self.email), isEmailVouched: true, claims: claims, expiresAt: now + .hours(1)),
            by: token)
        return token
    }

    // MARK: A passkey

    func addPasskey() async throws {
        var authenticator = VirtualAuthenticator(origin: Self.site)
        let (owner, call) = (try await signedIn(), accounts.call(actor: .unknown))
        let question = try await accounts.flows.registerPasskey.begin(for: owner, call: call)
        _ = try await accounts.flows.registerPasskey.complete(
            question.challenge.id, try authenticator.create(question.options), of: owner, call: call)
        let made = authenticator
        passkey.withLock { $0 = made }
    }

    func passkeyAnswer(to options: JSONObject, verifiesUser: Bool = true) throws -> JSONObject {
        try passkey.withLock { passkey in
            guard var authenticator = passkey else { throw VirtualAuthenticator.Failure.noCredential }
            defer { passkey = authenticator }
            authenticator.isUserVerified = verifiesUser
            return try authenticator.get(options)
        }
    }

    // MARK: Calls

    func supabase(_ path: String, _ body: JSONObject, token: String? = nil) async throws -> HTTPBench.Reply {
        var headers: HTTPFields = [.contentType: "application/json", .acceptLanguage: "de"]
        headers[.authorization] = token.map { "Bearer " + $0 }
        headers[try #require(HTTPField.Name("apikey"))] = anon
        return try await live.supabase.send(.post, "/auth/v1" + path, headers: headers, body: body.serialized())
    }

    /// Follows a link of that dialect's in a browser.
    func visitSupabase(_ path: String) async throws -> HTTPBench.Reply {
        jar.taken(try await live.supabase.send(.get, "/auth/v1" + path, headers: jar.headers))
    }

    /// Presses the button of a mailed link's page, as a browser does.
    func pressSupabaseLink(_ query: String) async throws -> HTTPBench.Reply {
        let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .origin: Self.url]
        return try await live.supabase.send(.post, "/auth/v1/verify/link", headers: headers, body: Array(query.utf8))
    }

    /// Any call to that dialect, or to the App API with its token.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil, token: String
    ) async throws -> HTTPBench.Reply {
        var headers: HTTPFields = [.authorization: "Bearer " + token]
        if body != nil { headers[.contentType] = "application/json" }
        let bytes = body?.serialized()
        guard !path.hasPrefix("/v1/") else {
            return try await live.app.send(method, path, headers: headers, body: bytes)
        }
        headers[try #require(HTTPField.Name("apikey"))] = anon
        return try await live.supabase.send(method, "/auth/v1" + path, headers: headers, body: bytes)
    }

    func firebase(_ operation: String, _ body: JSONObject) async throws -> HTTPBench.Reply {
        try await live.firebase.send(
            .post, "\(Self.toolkit)/v1/accounts:\(operation)?key=\(key)", headers: [.acceptLanguage: "de"],
            body: body.serialized())
    }

    /// A call of the second version of the API.
    func firebaseFactor(_ operation: String, _ body: JSONObject) async throws -> HTTPBench.Reply {
        try await live.firebase.send(
            .post, "\(Self.toolkit)/v2/accounts/\(operation)?key=\(key)", body: body.serialized())
    }

    func firebaseRefresh(_ token: String) async throws -> HTTPBench.Reply {
        try await live.firebase.send(
            .post, "/securetoken.googleapis.com/v1/token?key=\(key)",
            headers: [.contentType: "application/x-www-form-urlencoded", .acceptLanguage: "de"],
            body: Array("grant_type=refresh_token&refresh_token=\(token)".utf8))
    }

    func cognito(_ operation: String, _ body: JSONObject) async throws -> HTTPBench.Reply {
        try await Self.operation(live.cognito, operation, body, isSigned: operation.hasPrefix("Admin"))
    }

    private static func operation(
        _ server: HTTPBench, _ name: String, _ body: JSONObject, isSigned: Bool = true
    ) async throws -> HTTPBench.Reply {
        var headers: HTTPFields = [.contentType: "application/x-amz-json-1.1", .acceptLanguage: "de"]
        headers[try #require(HTTPField.Name("X-Amz-Target"))] = "AWSCognitoIdentityProviderService." + name
        if isSigned {
            headers[.authorization] =
                "AWS4-HMAC-SHA256 Credential=testkey/20260528/us-east-1/cognito-idp/aws4_request, "
                + "SignedHeaders=host;x-amz-date, Signature=" + String(repeating: "0", count: 64)
        }
        return try await server.send(.post, "/", headers: headers, body: body.serialized())
    }

    /// A browser's call, with the cookies that it has.
    func browse(
        _ method: HTTPRequest.Method, _ path: String, _ form: [(String, String)]? = nil
    ) async throws -> HTTPBench.Reply {
        var headers = jar.headers
        headers[.acceptLanguage] = "de"
        if form != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let body = form.map { Array(HTTPBench.encoded($0).utf8) }
        return jar.taken(try await live.browser.send(method, path, headers: headers, body: body))
    }

    func sentCode(to recipient: String) async throws -> String {
        // Notices that were sent at the same moment have none.
        try #require(try await accounts.messages(to: recipient).compactMap(\.code).first)
    }

    /// Whoever is refused reads German: each refusal has a key, and the text that stands behind it (G-15.7).
    func expectTold(_ key: JSONValue?, _ text: JSONValue?, by reply: HTTPBench.Reply) {
        let known = key?.stringValue.flatMap { MessageCatalog.text(MessageKey(rawValue: $0), in: .de) }
        #expect(known != nil && text?.stringValue == known, "\(reply.status) \(reply.text)")
    }
}
