// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

extension OpenIDProvider {
    /// The Directory as the issuer of access tokens.
    ///
    /// - Parameter audience: `nil` for the provider's own, which its UserInfo and the app's API are. Another may be
    ///   what a stranger's token says, and is not remembered.
    func ownIssuer(of directory: Directory, audience: String? = nil, at now: Instant) async throws -> OwnIssuer {
        let name = issuer(of: directory)
        let purpose = try await tokenKeys.accessTokenKey(of: directory, at: now).purpose
        if let audience, audience != name {
            return makeIssuer(name, of: directory, audience: audience, keys: purpose)
        }
        return issuers.issuer(of: directory, for: purpose.rawValue) {
            makeIssuer(name, of: directory, audience: name, keys: purpose)
        }
    }

    private func makeIssuer(
        _ name: String, of directory: Directory, audience: String, keys purpose: SigningKeyRecord.Purpose
    ) -> OwnIssuer {
        OwnIssuer(
            name, of: directory, audience: audience, keys: purpose, sessionClaim: AccessToken.sessionClaim,
            links: AccountLinks(url: settings.url)
        ) { keys in
            TokenProfile.openID(
                issuer: name, audiences: [audience], algorithms: [.es256, .rs256], kind: .access, keys: keys,
                leeway: .zero
            ).issuedHere()
        }
    }

    public func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        guard let name = claims.issuer, let directory = try await directory(ofIssuer: name, at: now) else { return nil }
        var issuer = try await ownIssuer(of: directory, at: now)
        // The operator's own app does what its user may do. What users were asked about may do what they agreed to,
        // and so may whoever acts for the user by an exchanged token, whosever app it is.
        let id = ClientID(claims["client_id"]?.stringValue ?? "")
        let isOwn = try await clients.client(id, at: now)?.settings.authorization.consent == .notAsked
        guard !isOwn || claims["act"] != nil else { return issuer }
        issuer.scopes = Set((claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init))
        return issuer
    }
}
