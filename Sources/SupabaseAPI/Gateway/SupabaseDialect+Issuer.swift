// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

extension SupabaseDialect {
    /// The Directory as the issuer of its access tokens.
    func ownIssuer(of directory: Directory) -> OwnIssuer {
        issuers.issuer(of: directory) { makeIssuer(of: directory) }
    }

    private func makeIssuer(of directory: Directory) -> OwnIssuer {
        let (name, audience) = (issuer(of: directory), AccessTokenClaims.audience(of: directory))
        return OwnIssuer(
            name, of: directory, audience: audience, keys: .tokens, sessionClaim: "session_id",
            links: VerificationLink(baseURL: baseURL(of: directory), pages: AccountLinks(url: settings.url))
        ) { keys in
            TokenProfile.latchkey(
                url: name, audiences: [audience], keys: keys, algorithms: [.es256, .rs256, .edDSA, .hs256],
                leeway: .zero
            ).issuedHere()
        }
    }

    public func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        var issuer = try await namedIssuer(of: claims, at: now)
        // A client may do what its user has agreed to (ADR 0037).
        if claims["client_id"] != nil { issuer?.scopes = Set(OAuthScope.list(claims["scope"]?.stringValue ?? "")) }
        return issuer
    }

    private func namedIssuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        guard let name = claims.issuer else { return nil }
        // The default Directory's may be anything that its settings say.
        if let issuer = try await issuer(name, ofDirectory: DirectoryCatalog.defaultName, at: now) {
            // Also what another dialect calls itself: our own are told apart by whom they are for.
            let isOurs = issuer.name == baseURL(of: issuer.directory) || claims.audience.contains(issuer.audience)
            return isOurs ? issuer : nil
        }
        guard let place = directoryName(inIssuer: name) else { return nil }
        return try await issuer(name, ofDirectory: place, at: now)
    }

    private func issuer(_ name: String, ofDirectory place: String, at now: Instant) async throws -> OwnIssuer? {
        guard let directory = try await directories.directory(named: place, at: now) else { return nil }
        let issuer = ownIssuer(of: directory)
        return issuer.name == name ? issuer : nil
    }
}
