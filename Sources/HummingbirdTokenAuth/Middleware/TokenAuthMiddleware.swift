// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import HTTPTypes
import Hummingbird
import JOSE
import Logging
import TokenVerifier

/// Lets only requests through that prove who they come from, and says it in the context's
/// ``TokenAuthRequestContext/identity``.
///
/// A request is judged by its `X-API-Key` when it has one and keys are accepted, otherwise by the bearer token in its
/// `Authorization` header (RFC 6750). A token that is bound to a key comes as `DPoP`, with a proof of that key, where a
/// ``ProofPolicy`` says how (RFC 9449), and as `Bearer` is refused. Without either, or with a bad one, it ends here:
/// 401 with `WWW-Authenticate`, or 503 with `Retry-After` when the issuer's keys can't be had. ``RequirePolicy`` behind
/// it decides who may do what.
///
/// Place it behind the middleware that answers CORS preflights, which carry no credentials.
public struct TokenAuthMiddleware<Context: TokenAuthRequestContext>: RouterMiddleware {
    private let verifier: any TokenAuthenticating
    private let kinds: Set<TokenKind>
    private let apiKeys: APIKeyAuthentication?
    private let proofs: ProofPolicy?
    private let exempt: ExemptPaths
    private let development: DevelopmentMode?
    private let isRevoked: (@Sendable (VerifiedToken) async throws(TokenError) -> Bool)?
    private let realm: String
    private let refusals: RefusalReport

    /// - Parameters:
    ///   - verifier: one for the whole process.
    ///   - kinds: of token that let a request in, usually `[.access]`. Some issuers have ID tokens only (`[.id]`).
    ///     What the verifier accepts beyond that, say for signing in, is refused here.
    ///   - apiKeys: `nil` to take no notice of `X-API-Key`.
    ///   - proofs: how tokens are taken that are bound to a key; `nil` to take none.
    ///   - exempt: the paths that need no credentials.
    ///   - development: see ``DevelopmentMode``.
    ///   - isRevoked: asked with each good token, where tokens can end before they expire. What it throws becomes the
    ///     answer: `TokenError.Code.keysUnavailable` is 503.
    ///   - realm: what the challenge calls this API (RFC 9110, section 11.5).
    ///   - metrics: where refusals are counted, as `token_auth_refused_total` by `code`.
    public init(
        _ verifier: any TokenAuthenticating, kinds: Set<TokenKind>, apiKeys: APIKeyAuthentication? = nil,
        proofs: ProofPolicy? = nil, exempt: ExemptPaths = [], development: DevelopmentMode? = nil,
        isRevoked: (@Sendable (VerifiedToken) async throws(TokenError) -> Bool)? = nil,
        realm: String = AccessRefusal.defaultRealm, metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.verifier = verifier
        self.kinds = kinds
        self.apiKeys = apiKeys
        self.proofs = proofs
        self.exempt = exempt
        self.development = development
        self.isRevoked = isRevoked
        self.realm = realm
        refusals = RefusalReport(metrics)
    }

    /// Judges the request, and passes it on with its identity.
    ///
    /// - Throws: ``AccessRefusal``.
    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        // Whatever was before, only what is proven here counts.
        context.identity = nil
        if development != nil {
            context.logger.warning("DEVELOPMENT MODE: requests are let in without validation")
        }
        if !exempt.isEmpty, exempt.contains(request.uri.path, target: request.uri.string) {
            return try await next(request, context)
        }
        do throws(AccessRefusal.Cause) {
            context.identity = try await identity(of: request)
        } catch {
            throw refusals.report(
                AccessRefusal(error, realm: realm, scheme: scheme(request, error)), to: context.logger)
        }
        var response = try await next(request, context)
        if let token = context.identity?.verifiedToken, token.binding != .bearer, let proofs {
            response.headers[.dpopNonce] = proofs.ledger.nonces(for: token)?.current(at: proofs.clock())
        }
        return response
    }

    /// By what the next attempt is to come: as the one before did, or by a proof where the token needs one.
    private func scheme(_ request: Request, _ cause: AccessRefusal.Cause) -> AccessRefusal.Scheme {
        guard let proofs else { return .bearer }
        let isBound = if case .token(let error) = cause { error.code == .wrongBinding } else { false }
        let presented = try? PresentedToken.read(request.headers, schemes: PresentedToken.Scheme.allCases)
        guard isBound || proofs.isRequired || presented?.scheme == .dpop else { return .bearer }
        return .dpop(proofs.algorithms.map(\.rawValue))
    }

    private func identity(
        of request: Request
    ) async throws(AccessRefusal.Cause) -> TokenIdentity {
        if let apiKeys, request.headers.contains(.apiKey), let key = try await apiKeys.authenticate(request.headers) {
            return .apiKey(key)
        }
        let presented = try PresentedToken.read(
            request.headers, schemes: proofs == nil ? [.bearer] : PresentedToken.Scheme.allCases)
        if let development,
            let user = Self.user(
                of: development, presented?.text, hasAuthorization: request.headers.contains(.authorization))
        {
            return .developer(user)
        }
        guard let presented else { throw .noCredentials }
        let token: VerifiedToken
        do throws(TokenError) {
            token = try await verify(presented.text)
            if proofs == nil { try token.binding.require(nil) }
        } catch {
            throw .token(error)
        }
        if let proofs {
            try await proofs.check(token, presented, of: request)
        }
        return .token(token)
    }

    private static func user(
        of development: DevelopmentMode, _ text: Substring?, hasAuthorization: Bool
    ) -> DevelopmentUser? {
        guard let text else { return hasAuthorization ? nil : development.defaultUser }
        return development.user(for: text)
    }

    private func verify(_ text: Substring) async throws(TokenError) -> VerifiedToken {
        let token = try await verifier.verify(bearer: text)
        guard kinds.contains(token.kind) else { throw TokenError(.wrongKind, "not of a kind that is accepted here") }
        if let isRevoked, try await isRevoked(token) { throw TokenError(.revoked, "the application says so") }
        return token
    }
}
