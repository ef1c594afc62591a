// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// An OpenID provider, by its own pages: authorization code with PKCE in a browser (OpenID Connect Core 1.0,
/// section 3.1; RFC 8252). Latchkey's own, and any other that says of itself where it is asked.
public struct OpenIDBackend: IdentityBackend {
    public let name: String
    let configuration: OpenIDClientConfiguration
    let transport: any HTTPTransport
    private let web: (any WebAuthentication)?
    private let random: any RandomSource
    private let clock: any ClientClock
    private let known = KnownMetadata()

    /// - Parameters:
    ///   - web: shows the provider's pages.
    ///   - clock: judges an ID token's age where the answer does not say what time it is.
    public init(
        _ configuration: OpenIDClientConfiguration, transport: any HTTPTransport,
        web: (any WebAuthentication)? = nil, random: any RandomSource = SystemRandomSource(),
        clock: any ClientClock = SystemClock()
    ) {
        self.configuration = configuration
        self.transport = transport
        self.web = web
        self.random = random
        self.clock = clock
        name = "openid \(configuration.issuer) \(configuration.clientID)"
    }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        guard case .browser(nil, let options) = proof, let web else {
            throw AuthError(.unsupported, reason: "users sign in on the provider's pages")
        }
        let client = try await client()
        let redirectURI: String
        do {
            redirectURI = try await web.redirectURI(preferred: configuration.redirectURI)
        } catch {
            throw AuthError(noRedirect: error)
        }
        let request = AuthorizationRequest(
            of: client, redirectURI: redirectURI, scopes: options.scopes, parameters: Self.parameters(options),
            random: random)
        let redirect: String
        do {
            redirect = try await web.authenticate(
                at: request.address, redirectingTo: redirectURI, ephemeral: options.asksAgain)
        } catch {
            throw AuthError(noRedirect: error)
        }
        let code = try request.code(from: redirect)
        let response = try await TokenEndpoint(of: client, by: transport).redeem(code, of: request)
        guard let token = response.idToken else {
            throw AuthError(.unavailable, reason: "the provider gave no ID token")
        }
        let claims = try IDTokenClaims(reading: token)
        try claims.check(
            issuer: configuration.issuer, clientID: configuration.clientID, nonce: request.nonce,
            now: response.serverDate ?? clock.now)
        return .session(grant(response, token, user: claims.user(), after: nil))
    }

    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        throw AuthError(.unsupported, reason: "the provider's pages ask whatever there is to ask")
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        guard let token = tokens.refreshToken else {
            throw AuthError(.sessionExpired, reason: "the session has no refresh token")
        }
        let response = try await TokenEndpoint(of: client(), by: transport).refresh(token)
        let now = response.serverDate ?? clock.now
        let renewed = try RenewedIDToken(response.idToken, after: tokens.idToken) { claims throws(AuthError) in
            try claims.check(issuer: configuration.issuer, clientID: configuration.clientID, nonce: nil, now: now)
        }
        return grant(response, renewed.token, user: renewed.claims?.user(), after: tokens)
    }

    /// Takes the refresh token back, and what was given for it (RFC 7009).
    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        guard scope == .local else {
            throw AuthError(.unsupported, reason: "other sessions are ended on the provider's pages")
        }
        guard let endpoint = try await metadata().revocationEndpoint, let token = tokens.refreshToken else { return }
        try await TokenEndpoint(of: client(), by: transport).revoke(token, at: endpoint)
    }

    /// By UserInfo (section 5.3), which must be about the session's user.
    ///
    /// - Throws: `unsupported` where the provider has none: whether a session holds is asked by a refresh then.
    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        guard let endpoint = try await metadata().userInfoEndpoint else {
            throw AuthError(.unsupported, reason: "the provider has no UserInfo")
        }
        var request = HTTPRequest("GET", endpoint)
        request.headers = [HTTPHeader("Authorization", "Bearer \(tokens.accessToken.reveal())")]
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch { throw AuthError(noWay: error) }
        guard response.status != 401 else { throw AuthError(.tokenInvalid, reason: "UserInfo refuses the token") }
        guard response.status == 200,
            let members = try? JSONObject(
                parsing: response.body, limits: JSONLimits(depth: 16, members: 500, bytes: 256 << 10)),
            let subject = members["sub"]?.stringValue, !subject.isEmpty
        else { throw AuthError(noAnswer: response) }
        if let before = self.subject(of: tokens), !before.utf8.elementsEqual(subject.utf8) {
            throw AuthError(.tokenInvalid, reason: "UserInfo is about another user")
        }
        return SessionUser(
            subject: subject, email: members["email"]?.stringValue, emailVerified: members["email_verified"]?.boolValue,
            phoneNumber: members["phone_number"]?.stringValue, name: members["name"]?.stringValue,
            picture: members["picture"]?.stringValue, attributes: members)
    }

    /// Where a browser is sent to so that the provider forgets it too (RP-Initiated Logout 1.0, section 2). `nil` where
    /// the provider has no such page.
    public func logoutAddress(_ tokens: TokenSet, leadingBackTo redirectURI: String?) async throws(AuthError) -> String?
    {
        guard let endpoint = try await metadata().endSessionEndpoint else { return nil }
        var fields = [("client_id", configuration.clientID)]
        if let token = tokens.idToken { fields.append(("id_token_hint", token.reveal())) }
        if let redirectURI { fields.append(("post_logout_redirect_uri", redirectURI)) }
        return endpoint + (endpoint.contains("?") ? "&" : "?") + FormFields.encode(fields)
    }

    private static func parameters(_ options: BrowserSignInOptions) -> [(String, String)] {
        var parameters: [(String, String)] = []
        if options.asksAgain { parameters.append(("prompt", "login")) }
        if let hint = options.loginHint { parameters.append(("login_hint", hint)) }
        if let language = options.language { parameters.append(("ui_locales", language)) }
        return parameters
    }

    func subject(of tokens: TokenSet) -> String? {
        tokens.idToken.flatMap { try? IDTokenClaims(reading: $0).subject }
    }

    private func grant(
        _ response: TokenResponse, _ idToken: Secret<String>?, user: SessionUser?, after old: TokenSet?
    ) -> SessionGrant {
        var grant = SessionGrant(
            tokens: TokenSet(
                accessToken: response.accessToken, idToken: idToken,
                refreshToken: response.refreshToken ?? old?.refreshToken, lifetime: response.lifetime ?? .minutes(5)),
            user: user, serverDate: response.serverDate)
        // Other providers may end all that one app was given for one user with any of its tokens (RFC 7009,
        // section 2.1).
        if configuration.appAPI == nil { grant.replacesSession = false }
        return grant
    }

    private func client() async throws(AuthError) -> OAuthClient {
        let metadata = try await metadata()
        return OAuthClient(
            clientID: configuration.clientID, authorizationEndpoint: metadata.authorizationEndpoint,
            tokenEndpoint: metadata.tokenEndpoint, issuer: configuration.issuer, sendsIssuer: metadata.sendsIssuer,
            scopes: configuration.scopes)
    }

    private func metadata() async throws(AuthError) -> OpenIDMetadata {
        if let metadata = await known.metadata { return metadata }
        let slash = configuration.issuer.hasSuffix("/") ? "" : "/"
        let address = configuration.issuer + slash + ".well-known/openid-configuration"
        let response: HTTPResponse
        do {
            response = try await transport.send(HTTPRequest("GET", address))
        } catch {
            throw AuthError(noWay: error)
        }
        let metadata = try OpenIDMetadata(reading: response, issuer: configuration.issuer)
        await known.keep(metadata)
        return metadata
    }
}

/// What was read once, for the life of the process.
private actor KnownMetadata {
    private(set) var metadata: OpenIDMetadata?

    func keep(_ metadata: OpenIDMetadata) { self.metadata = metadata }
}
