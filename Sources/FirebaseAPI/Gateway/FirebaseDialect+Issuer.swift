// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

extension FirebaseDialect {
    /// The project or tenant as the issuer of its ID tokens.
    func ownIssuer(of directory: Directory) -> OwnIssuer {
        issuers.issuer(of: directory) { makeIssuer(of: directory) }
    }

    private func makeIssuer(of directory: Directory) -> OwnIssuer {
        let projectID = directory.projectID
        return OwnIssuer(
            issuer(of: directory), of: directory, audience: projectID, keys: .compatibility,
            sessionClaim: "session_id", links: ActionLink(url: settings.url, apiKey: nil, language: .en)
        ) { keys in
            TokenProfile.firebase(projectID: projectID, leeway: .zero).withKeys(keys).issuedHere()
        }
    }

    /// This dialect makes no access tokens of another kind.
    public func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        guard let name = claims.issuer, let project = directoryName(inIssuer: name) else { return nil }
        // The tokens of a project's tenants have the issuer of the project.
        guard let directory = try await directories.directory(named: claims.tenant ?? project, at: now)
        else { return nil }
        let issuer = ownIssuer(of: directory)
        return issuer.name == name ? issuer : nil
    }
}

extension JWTClaims {
    /// The tenant whose user an ID token is about; `nil` for one of the project itself.
    var tenant: String? { self["firebase"]?.objectValue?["tenant"]?.stringValue }
}
