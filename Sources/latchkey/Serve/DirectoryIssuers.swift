// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import AuthTypes
import CognitoAPI
import FirebaseAPI
import JOSE
import SupabaseAPI
import TokenVerifier

/// The issuers that the app's API trusts: each Directory's, as each dialect names it. Of each its access tokens, and ID
/// tokens of the one that makes no other.
///
/// A class, since it is asked with each request and what it answers holds on to it: three dialects are much to copy.
final class DirectoryIssuers: TrustedIssuers {
    private let dialects: Dialects
    private let directories: DirectoryCatalog
    private let store: any AccountStoring
    private let keys: KeyRing

    init(dialects: Dialects, directories: DirectoryCatalog, store: any AccountStoring, keys: KeyRing) {
        self.dialects = dialects
        self.directories = directories
        self.store = store
        self.keys = keys
    }

    func issuer(of claims: JWTClaims, at now: Instant) async throws -> TrustedIssuer? {
        guard let name = claims.issuer else { return nil }
        if let directory = try await directories.directory(named: DirectoryCatalog.defaultName, at: now),
            dialects.supabase.issuer(of: directory) == name
        {
            return supabase(directory, at: now)
        }
        if let place = dialects.supabase.directoryName(inIssuer: name),
            let directory = try await directories.directory(named: place, at: now),
            dialects.supabase.issuer(of: directory) == name
        {
            return supabase(directory, at: now)
        }
        if let id = dialects.cognito.directoryID(inIssuer: name),
            let directory = try await directories.directory(id, at: now), dialects.cognito.issuer(of: directory) == name
        {
            return cognito(directory, at: now)
        }
        // The tokens of a project's tenants have the issuer of the project.
        let tenant = claims["firebase"]?.objectValue?["tenant"]?.stringValue
        if let project = dialects.firebase.directoryName(inIssuer: name),
            let directory = try await directories.directory(named: tenant ?? project, at: now),
            dialects.firebase.issuer(of: directory) == name
        {
            return firebase(directory, at: now)
        }
        return nil
    }

    private func supabase(_ directory: Directory, at now: Instant) -> TrustedIssuer {
        TrustedIssuer(directory: directory, sessionClaim: "session_id") { [self] in
            [
                .latchkey(
                    url: dialects.supabase.issuer(of: directory),
                    audiences: [dialects.supabase.audience(of: directory)],
                    keys: try await set(of: directory, .tokens, at: now),
                    algorithms: [.es256, .rs256, .edDSA, .hs256], leeway: .zero
                ).issuedHere()
            ]
        }
    }

    private func cognito(_ directory: Directory, at now: Instant) -> TrustedIssuer {
        TrustedIssuer(directory: directory, sessionClaim: "origin_jti") { [self] in
            let clients = try await store.read { try $0.clients(in: directory.id) }
            let keys = try await set(of: directory, .compatibility, at: now)
            return [
                TokenProfile.cognito(
                    region: "", userPoolID: dialects.cognito.poolID(of: directory),
                    clientIDs: Set(clients.map(\.id.rawValue)), kind: .access,
                    issuer: dialects.cognito.issuer(of: directory), leeway: .zero
                ).withKeys(keys).issuedHere()
            ]
        }
    }

    private func firebase(_ directory: Directory, at now: Instant) -> TrustedIssuer {
        TrustedIssuer(directory: directory, sessionClaim: "session_id") { [self] in
            [
                TokenProfile.firebase(projectID: dialects.firebase.audience(of: directory), leeway: .zero)
                    .withKeys(try await set(of: directory, .compatibility, at: now)).issuedHere()
            ]
        }
    }

    private func set(
        of directory: Directory, _ purpose: SigningKeyRecord.Purpose, at now: Instant
    ) async throws -> VerificationKeySet {
        try VerificationKeySet(try await keys.verificationKeys(of: directory, purpose: purpose, at: now))
    }
}
