// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A user pool by its own pages in a browser: authorization code with PKCE, the pool's own users and those of the
/// providers that the app client has (Y-US1).
public final class CognitoHostedUIBackend: IdentityBackend {
    private let configuration: HostedUIConfiguration
    private let browser: any WebAuthentication
    private let transport: any HTTPTransport
    private let endpoint: TokenEndpoint
    private let clock: any ClientClock
    private let random: any RandomSource
    private let authenticator: (any PasskeyAuthenticator)?
    private let memory = Guarded(Memory())

    private struct Memory: Sendable {
        /// The sign-in that a browser was last sent away for.
        var pending: AuthorizationRequest?
        /// Somebody has signed out since the pages were last shown: they ask, whatever the browser remembers (H-5).
        var asksNext = false
        /// The refresh token of whoever signed in here last: the end of a session before that is nobody's sign-out.
        var latest: Secret<String>?

        mutating func note(signIn grant: SessionGrant) { latest = grant.tokens.refreshToken }

        mutating func note(renewal grant: SessionGrant, of former: Secret<String>) {
            if isLatest(former) { latest = grant.tokens.refreshToken }
        }

        func isLatest(_ token: Secret<String>?) -> Bool { latest == nil || latest?.reveal() == token?.reveal() }
    }

    /// Signs in by `browser`; `clock` judges ID tokens where an answer has no date, and `authenticator` makes passkeys
    /// of who is signed in.
    public init(
        _ configuration: HostedUIConfiguration, browser: any WebAuthentication, transport: any HTTPTransport,
        clock: any ClientClock, random: any RandomSource = SystemRandomSource(),
        authenticator: (any PasskeyAuthenticator)? = nil
    ) {
        self.configuration = configuration
        self.browser = browser
        self.transport = transport
        endpoint = TokenEndpoint(of: configuration.client, by: transport)
        self.clock = clock
        self.random = random
        self.authenticator = authenticator
    }

    public var name: String { "cognito-hosted:\(configuration.pool.userPoolID):\(configuration.pool.clientID)" }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        switch proof {
        case .browser(let provider, let options):
            let asks = options.asksAgain || memory.value.asksNext
            let (request, redirect) = try await authorize(provider, options, asks: asks)
            let grant = try await redeem(redirect, of: request)
            // Not before somebody is there: who turned back or failed is asked again.
            memory.withLock { memory in
                memory.asksNext = false
                memory.note(signIn: grant)
            }
            return .session(grant)
        case .callback(let url):
            guard let request = memory.value.pending else {
                throw AuthError(.flowStateNotFound, reason: "no sign-in was begun here")
            }
            let grant = try await redeem(url.reveal(), of: request)
            memory.withLock { $0.note(signIn: grant) }
            return .session(grant)
        default: throw AuthError(.unsupported, reason: "the pages are shown in a browser")
        }
    }

    private func authorize(
        _ provider: String?, _ options: BrowserSignInOptions, asks: Bool
    ) async throws(AuthError) -> (AuthorizationRequest, String) {
        var parameters: [(String, String)] = []
        if let provider { parameters.append(("identity_provider", HostedUIConfiguration.pagesName(of: provider))) }
        if let hint = options.loginHint { parameters.append(("login_hint", hint)) }
        if let language = options.language { parameters.append(("lang", language)) }
        // A provider has its own memory of accounts: it is to let the user choose. The pool's own pages ask for a
        // password.
        if asks { parameters.append(("prompt", provider == nil || provider == "cognito" ? "login" : "select_account")) }
        do {
            let uri = try await browser.redirectURI(preferred: configuration.redirectURI)
            let request = AuthorizationRequest(
                of: configuration.client, redirectURI: uri, scopes: options.scopes, parameters: parameters,
                random: random)
            memory.withLock { $0.pending = request }
            return (
                request, try await browser.authenticate(at: request.address, redirectingTo: uri, ephemeral: asks)
            )
        } catch {
            throw AuthError(noRedirect: error)
        }
    }

    /// Used once, whatever comes of it, by the redirect that is its own. Any page and any app can send another one
    /// here: that ends nobody's sign-in.
    private func redeem(_ redirect: String, of request: AuthorizationRequest) async throws(AuthError) -> SessionGrant {
        let code: Secret<String>
        do { code = try request.code(from: redirect) } catch {
            let isForeign = [.invalidRedirect, .flowStateNotFound].contains(error.code)
            let parameters = try? RedirectParameters(redirect, redirectingTo: request.redirectURI)
            if !isForeign, parameters?["state"] != nil { forget(request) }
            throw Self.said(error)
        }
        forget(request)
        return try grant(try await endpoint.redeem(code, of: request), nonce: request.nonce, renewing: nil)
    }

    /// The pool's API, which takes the pages' access tokens where they have the scope `aws.cognito.signin.user.admin`.
    var api: CognitoBackend {
        CognitoBackend(
            configuration.pool, transport: transport, clock: clock, random: random, authenticator: authenticator)
    }

    private func forget(_ request: AuthorizationRequest) {
        memory.withLock { memory in
            if memory.pending?.address == request.address { memory.pending = nil }
        }
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        guard let refreshToken = tokens.refreshToken else {
            throw AuthError(.sessionExpired, reason: "there is no refresh token")
        }
        let renewed = try grant(try await endpoint.refresh(refreshToken), nonce: nil, renewing: tokens)
        memory.withLock { $0.note(renewal: renewed, of: refreshToken) }
        return renewed
    }

    private func grant(
        _ response: TokenResponse, nonce: Secret<String>?, renewing former: TokenSet?
    ) throws(AuthError) -> SessionGrant {
        let pool = PoolTokens(clientID: configuration.pool.clientID, issuer: configuration.pool.expectedIssuer)
        let now = response.serverDate ?? clock.now
        let (idToken, user) = try pool.identity(response.idToken, nonce: nonce, renewing: former, now: now)
        guard user != nil || former != nil else {
            throw AuthError(
                .identityTokenInvalid, reason: "the pages gave no ID token: is openid a scope of the client?")
        }
        return SessionGrant(
            tokens: TokenSet(
                accessToken: response.accessToken, idToken: idToken,
                refreshToken: response.refreshToken ?? former?.refreshToken,
                lifetime: PoolTokens.lifetime(
                    response.lifetime ?? .hours(1), user == nil ? nil : idToken, at: response.serverDate)),
            user: user, serverDate: response.serverDate)
    }

    /// Ends the session by its refresh token, or all by the API, which takes an access token with the scope
    /// `aws.cognito.signin.user.admin` and throws `forbidden` for another. Without a browser: what the pages remember
    /// of the user stays in it, and is not heeded by the next sign-in. ``logoutAddress()`` clears that too.
    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        memory.withLock { memory in
            if scope != .local || memory.isLatest(tokens.refreshToken) { memory.asksNext = true }
        }
        switch scope {
        case .local:
            guard let refreshToken = tokens.refreshToken else { return }
            try await endpoint.revoke(refreshToken, at: configuration.base + "/oauth2/revoke")
        case .global:
            do {
                try await api.revoke(tokens, scope: .global)
            } catch  where error.code == .tokenExpired {
                try await api.revoke(refresh(tokens).tokens, scope: .global)
            }
        case .others: throw AuthError(.unsupported, reason: "the service ends one session, or all")
        }
    }

    /// `/oauth2/userInfo`.
    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        let response: HTTPResponse
        do {
            response = try await transport.send(
                HTTPRequest(
                    "GET", configuration.base + "/oauth2/userInfo",
                    headers: [HTTPHeader("Authorization", "Bearer \(tokens.accessToken.reveal())")]))
        } catch { throw AuthError(noWay: error) }
        let members = try? JSONObject(
            parsing: response.body, limits: JSONLimits(depth: 16, members: 500, bytes: 256 << 10))
        guard response.status == 200, let members, let subject = members["sub"]?.stringValue, !subject.isEmpty else {
            if response.status == 401, members?["error"] != nil || response.header("www-authenticate") != nil {
                throw AuthError(.tokenInvalid, reason: "the pages do not take the access token")
            }
            throw AuthError(noAnswer: response)
        }
        return SessionUser(
            subject: subject, email: members["email"]?.stringValue, emailVerified: members["email_verified"]?.isTrue,
            phoneNumber: members["phone_number"]?.stringValue, name: members["name"]?.stringValue,
            picture: members["picture"]?.stringValue, attributes: members)
    }

    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        throw AuthError(.unsupported, reason: "the pages ask by themselves")
    }

    /// Where a browser forgets who signed in at the pages, and is then sent to the app. `nil` without a sign-out URL.
    public func logoutAddress() -> String? {
        configuration.logoutURI.map { uri in
            configuration.base + "/logout?"
                + FormFields.encode([("client_id", configuration.pool.clientID), ("logout_uri", uri)])
        }
    }

    /// Where a browser forgets who signed in, and is shown the sign-in page. What comes back from there belongs to no
    /// sign-in that was begun here: for web pages, not for apps.
    public func logoutAndSignInAddress() -> String {
        configuration.base + "/logout?"
            + FormFields.encode([
                ("client_id", configuration.pool.clientID), ("redirect_uri", configuration.redirectURI),
                ("response_type", "code"),
            ])
    }

    /// The pages say most of what went wrong as `invalid_request`, and what it was in words (Y-E2).
    static func said(_ error: AuthError) -> AuthError {
        guard error.code == .invalidRequest, let reason = error.reason else { return error }
        let words = reason.lowercased()
        let known: [(String, AuthErrorCode)] = [
            ("access_denied", .cancelled), ("user denied", .cancelled),
            // Apple's own word for it.
            ("user_cancelled_authorize", .cancelled),
            ("timeout occurred", .identityProviderUnavailable),
            ("attributes required", .identityAttributesMissing), ("already found an entry", .needsConfirmation),
            ("user is not enabled", .userBanned), ("user is disabled", .userBanned),
            ("invalid_request:", .identityProviderRefused),
        ]
        return AuthError(known.first { words.contains($0.0) }?.1 ?? .invalidRequest, reason: reason)
    }
}
