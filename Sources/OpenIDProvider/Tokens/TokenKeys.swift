// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Which of a Directory's keys sign what.
///
/// ID tokens are signed by RS256, which every relying party must take (OpenID Connect Core, section 15.1), unless the
/// client asked for ES256. Access tokens are signed by ES256. A Directory whose keys were brought along may have none
/// for it; then RS256 signs those too.
struct TokenKeys: Sendable {
    let keys: KeyRing

    /// What signs the ID tokens of a client that asked for `algorithm`.
    func idTokenKey(
        _ algorithm: ClientAuthorization.IDTokenAlgorithm, of directory: Directory, at now: Instant
    ) async throws -> SigningKey {
        switch algorithm {
        case .rs256: try await keys.signingKey(.compatibility, of: directory, at: now)
        case .es256: try await accessTokenKey(of: directory, at: now).key
        }
    }

    /// What signs access tokens, and which keys it is of.
    func accessTokenKey(
        of directory: Directory, at now: Instant
    ) async throws -> (key: SigningKey, purpose: SigningKeyRecord.Purpose) {
        if let key = try? await keys.signingKey(.tokens, of: directory, algorithm: .es256, at: now) {
            return (key, .tokens)
        }
        return (try await keys.signingKey(.compatibility, of: directory, at: now), .compatibility)
    }

    /// What signs ID tokens, RS256 first.
    func idTokenAlgorithms(of directory: Directory, at now: Instant) async throws -> [JWSAlgorithm] {
        let other = try await accessTokenKey(of: directory, at: now).key.algorithm
        return other == .rs256 ? [.rs256] : [.rs256, other]
    }

    /// The public keys of both kinds. Those for RS256 are made before they are published, so that a client which reads
    /// the set first knows the first token's key.
    func published(of directory: Directory, at now: Instant) async throws -> JWKSet {
        let compatible = try await keys.publishedKeys(of: directory, purpose: .compatibility, at: now)
        let usual = try await keys.publishedKeys(of: directory, at: now)
        return try JWKSet(compatible.keys + usual.keys)
    }
}

extension OpenIDProvider {
    var tokenKeys: TokenKeys { TokenKeys(keys: keys) }
}
