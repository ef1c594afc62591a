// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A Supabase project's Auth API, of the cloud or of a server that speaks it.
///
/// Browsers are sent away with PKCE alone, and links are taken by their token hash: a session that stands in an address
/// is not taken, since anybody can send such an address.
public struct SupabaseBackend: IdentityBackend {
    public let name: String
    let configuration: SupabaseConfiguration
    let service: SupabaseService
    let web: (any WebAuthentication)?
    let authenticator: (any PasskeyAuthenticator)?
    let random: any RandomSource
    let pending = PendingFlows()

    /// - Parameters:
    ///   - web: shows the pages of providers. Without one, `SignInProof.browser(provider:options:)` is unsupported,
    ///     and ``beginBrowserSignIn(provider:options:)`` leaves it to the app.
    ///   - authenticator: the device's passkeys and security keys; without one nobody is asked for any.
    public init(
        _ configuration: SupabaseConfiguration, transport: any HTTPTransport, web: (any WebAuthentication)? = nil,
        random: any RandomSource = SystemRandomSource(), authenticator: (any PasskeyAuthenticator)? = nil
    ) {
        self.configuration = configuration
        self.web = web
        self.authenticator = authenticator
        self.random = random
        service = SupabaseService(configuration, transport: transport)
        name = "supabase " + configuration.address
    }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        switch proof {
        case .password(let identifier, let password):
            do {
                let body = try SupabaseIdentifier(identifier).body(["password": .string(password.reveal())])
                return try await grant("password", body)
            } catch  where [.emailNotVerified, .phoneNotVerified].contains(error.code) {
                return .awaiting(try Self.confirmation(of: SupabaseIdentifier(identifier)))
            }
        case .browser(let provider, let options):
            return try await finish(browser(to: provider, options, linking: nil))
        case .identityToken(let identity):
            let step = try await grant("id_token", Self.body(of: identity))
            guard case .session(let grant) = step else { return step }
            return .session(await keepingName(of: identity, in: grant))
        case .code(let identifier, let code):
            let identifier = try SupabaseIdentifier(identifier)
            return try await verify(
                identifier.body(["type": .string(identifier.codeKind), "token": .string(code.reveal())]))
        case .link(let hash, let kind):
            return try await verify(["type": .string(kind), "token_hash": .string(hash.reveal())])
        case .callback(let url):
            return try await finish(callback(url.reveal()))
        case .anonymous:
            return try await step(service.ask("POST", "/signup", ["data": [:]]))
        case .passkey:
            return try await finish(signInByPasskey())
        case .customToken:
            throw AuthError(.unsupported, reason: "the service takes no tokens of the app's own server")
        }
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        guard let token = tokens.refreshToken else {
            throw AuthError(.sessionExpired, reason: "the session has no refresh token")
        }
        return try await service.ask(
            "POST", "/token", query: [("grant_type", "refresh_token")],
            ["refresh_token": .string(token.reveal())], refreshing: true
        ).session()
    }

    /// A session whose access token is over is renewed for it: left alone, it would stay alive at the service.
    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        do {
            try await logOut(tokens.accessToken, scope)
        } catch  where [.tokenInvalid, .tokenExpired, .tokenMissing].contains(error.code) {
            let renewed: SessionGrant
            do {
                renewed = try await refresh(tokens)
            } catch  where error.code.endsSession {
                return
            }
            try await logOut(renewed.tokens.accessToken, scope)
        }
    }

    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        try await service.ask("GET", "/user", token: tokens.accessToken).user()
    }

    /// What is over already needs no end.
    private func logOut(_ token: Secret<String>, _ scope: SignOutScope) async throws(AuthError) {
        do {
            _ = try await service.ask("POST", "/logout", query: [("scope", scope.rawValue)], token: token)
        } catch  where [.sessionNotFound, .userNotFound, .tokensRevoked].contains(error.code) {
            return
        }
    }

    func grant(_ kind: String, _ body: JSONObject, token: Secret<String>? = nil) async throws(AuthError) -> SignInStep {
        try await step(service.ask("POST", "/token", query: [("grant_type", kind)], body, token: token))
    }

    /// A session, or what stands between it and the user.
    func step(_ answer: SupabaseService.Answer) async throws(AuthError) -> SignInStep {
        try await finish(answer.session())
    }

    func finish(_ grant: SessionGrant) async throws(AuthError) -> SignInStep {
        guard configuration.asksSecondFactor else { return .session(grant) }
        do throws(AuthError) {
            return try await secondFactor(of: grant).map { .awaiting($0) } ?? .session(grant)
        } catch {
            // Nobody will hold it: whoever tries again gets another.
            Task { try? await revoke(grant.tokens, scope: .local) }
            throw error
        }
    }

    static func body(of identity: ProviderIdentity) -> JSONObject {
        var body: JSONObject = [
            "provider": .string(identity.provider), "id_token": .string(identity.idToken.reveal()),
        ]
        if let nonce = identity.nonce { body["nonce"] = .string(nonce.reveal()) }
        if let token = identity.accessToken { body["access_token"] = .string(token.reveal()) }
        return body
    }

    /// Apple tells a user's name to the app alone, and once (F-2): it is written into the account. The session does not
    /// depend on that; where it can't be written now, the app at least shows the name.
    func keepingName(of identity: ProviderIdentity, in grant: SessionGrant) async -> SessionGrant {
        guard let name = identity.name, !name.isEmpty, grant.user?.name == nil else { return grant }
        var grant = grant
        let written = try? await update(["data": ["full_name": .string(name)]], grant.tokens)
        if let written {
            grant.user = written
        } else {
            grant.user?.name = name
        }
        return grant
    }

    func update(_ changes: JSONObject, _ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        try await service.ask(
            "PUT", "/user", query: [("redirect_to", configuration.redirectURI)], changes, token: tokens.accessToken
        ).user()
    }
}
