// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// This server's word on who an identity is, for services that give access by it (OpenID Connect Core 1.0, section 2).
///
/// It is signed with keys of its own, under an issuer of its own: it passes for no token of a user's, and none for it.
struct IdentityToken: Sendable {
    /// Below which each Directory has its issuer, and its documents.
    static let path = "/identity-pools"
    /// "Using tokens with identity pools" in the service's guide.
    static let lifetime: TimeSpan = .minutes(10)
    static let developerLifetime: TimeSpan = .minutes(15)

    private static let tagsClaim = "https://aws.amazon.com/tags"

    let dialect: CognitoDialect
    let directory: Directory

    var issuer: String { "\(dialect.settings.url.text)\(Self.path)/\(directory.id.rawValue)" }

    // MARK: Making

    /// - Parameter tags: beside those that the pool makes of the logins' claims; they win.
    func make(
        for resolved: ResolvedIdentity, lifetime: TimeSpan = lifetime, tags: [String: String] = [:], at now: Instant
    ) async throws -> Secret<String> {
        let (names, pool) = (LoginNames(dialect: dialect), dialect.wireID(resolved.pool.id))
        var methods = [resolved.identity.isAuthenticated ? "authenticated" : "unauthenticated"]
        // Those that were shown; of a caller who has shown this server's own token, all.
        let logins = resolved.shown.isEmpty ? resolved.logins : resolved.shown.map(\.login)
        for login in logins {
            let name = names.shown(login.provider, in: resolved.pool)
            let long =
                switch login.provider {
                case .users: "\(name):CognitoSignIn:\(login.subject)"
                case .developer: "\(name):\(dialect.region):\(pool):\(login.subject)"
                case .upstream: "\(name):\(login.subject)"
                }
            methods += [name, long]
        }
        var claims: JSONObject = [
            "sub": .string(dialect.wireID(resolved.identity.id)), "aud": .string(pool),
            "amr": .array(methods.map { .string($0) }), "iss": .string(issuer),
            "exp": .integer((now + lifetime).seconds), "iat": .integer(now.seconds),
        ]
        let tags = resolved.tags.merging(tags) { _, given in given }
        if !tags.isEmpty {
            var principal = JSONObject()
            for (name, value) in tags.sorted(by: { $0.key < $1.key }) { principal[name] = [.string(value)] }
            claims[Self.tagsClaim] = ["principal_tags": .object(principal), "transitive_tag_keys": []]
        }
        let key = try await dialect.keys.signingKey(.poolIdentities, of: directory, at: now)
        return Secret(try JWS.sign(claims, type: nil, with: key))
    }

    // MARK: Judging

    /// The identity that a token of this form is about.
    ///
    /// - Throws: ``IdentityPoolRefusal/tokenInvalid``, ``IdentityPoolRefusal/tokenExpired(_:)``.
    func identity(of token: Secret<String>, in pool: IdentityPool, at now: Instant) async throws -> PoolIdentityID {
        guard let claimed = ClaimedToken(token) else { throw IdentityPoolRefusal.tokenInvalid }
        if let end = claimed.claims.expiresAt, end <= now { throw IdentityPoolRefusal.tokenExpired(end) }
        let keys = try await dialect.keys.verificationKeys(of: directory, purpose: .poolIdentities, at: now)
        let profile = TokenProfile.openID(
            issuer: issuer, audiences: [dialect.wireID(pool.id)], algorithms: [.rs256], kind: .id,
            keys: try VerificationKeySet(keys), leeway: .zero
        ).issuedHere()
        let verified: VerifiedToken
        do throws(TokenError) {
            verified = try TokenVerifier([profile]) { now }.verify(token.reveal().utf8)
        } catch {
            throw IdentityPoolRefusal.tokenInvalid
        }
        guard let subject = verified.subject,
            verified.claims["amr"]?.arrayValue?.contains(.string("authenticated")) == true
        else { throw IdentityPoolRefusal.tokenInvalid }
        return try dialect.identityID(subject)
    }
}

extension CognitoDialect {
    /// Adds what other services judge identities' tokens by.
    func addIdentityDocuments(to router: some RouterMethods<LatchkeyRequestContext>, _ routes: KnownRoutes) {
        let base = IdentityToken.path + "/{directory}/.well-known/"
        routes.add(.get, base + "openid-configuration")
        router.get(RouterPath(base + "openid-configuration")) { [self] _, context in
            let token = IdentityToken(dialect: self, directory: try await identityDirectory(context))
            return KeyEndpoints.document([
                "issuer": .string(token.issuer), "jwks_uri": .string(token.issuer + "/.well-known/jwks.json"),
                "response_types_supported": ["id_token"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"],
                "claims_supported": ["sub", "aud", "amr", "iss", "exp", "iat"],
            ])
        }
        routes.add(.get, base + "jwks.json")
        router.get(RouterPath(base + "jwks.json")) { [self] _, context in
            let directory = try await identityDirectory(context)
            let set = try await keys.publishedKeys(of: directory, purpose: .poolIdentities, at: context.now)
            return KeyEndpoints.document(set.publicObject)
        }
    }

    private func identityDirectory(_ context: LatchkeyRequestContext) async throws -> Directory {
        guard let text = context.parameters.get("directory"), DirectoryID.accepts(text),
            let directory = try await directories.directory(DirectoryID(text), at: context.now)
        else { throw AuthError(.notFound, reason: "no such issuer") }
        return directory
    }
}
