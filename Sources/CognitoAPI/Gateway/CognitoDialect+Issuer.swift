// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

extension CognitoDialect {
    /// The pool as the issuer of the access tokens that it gives to one client.
    func ownIssuer(of directory: Directory, for client: String) -> OwnIssuer {
        let (name, poolID, region) = (issuer(of: directory), poolID(of: directory), region)
        return OwnIssuer(
            name, of: directory, audience: client, keys: .compatibility, sessionClaim: "origin_jti",
            links: AccountLinks(url: settings.url), keepsTokens: true
        ) { keys in
            TokenProfile.cognito(
                region: region, userPoolID: poolID, clientIDs: [client], kind: .access, issuer: name, leeway: .zero
            ).withKeys(keys).issuedHere()
        }
    }

    /// The pool that a token with these claims is of, whether or not there is such a client (any more).
    func claimedIssuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        try await claimed(by: claims, at: now).map { ownIssuer(of: $0, for: $1) }
    }

    private func claimed(by claims: JWTClaims, at now: Instant) async throws -> (Directory, client: String)? {
        guard let name = claims.issuer, let id = directoryID(inIssuer: name),
            let directory = try await directories.directory(id, at: now), issuer(of: directory) == name,
            let client = claims["client_id"]?.stringValue
        else { return nil }
        return (directory, client)
    }

    public func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        guard let (directory, client) = try await claimed(by: claims, at: now),
            try await clients.client(ClientID(client), at: now)?.directoryID == directory.id
        else { return nil }
        var issuer = issuers.issuer(of: directory, for: client) { ownIssuer(of: directory, for: client) }
        // A token for the user's own account stands for them in all that they may do; another for what it was asked
        // for.
        let scopes = (claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
        if !scopes.contains(HostedScope.account) { issuer.scopes = Set(scopes) }
        return issuer
    }
}
