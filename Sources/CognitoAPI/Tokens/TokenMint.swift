// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import JOSE

/// Signs this dialect's tokens with the Directory's RS256 key. Their header has no `typ`, as the service's have none.
struct TokenMint: Sendable {
    let keys: KeyRing
    let random: any RandomSource
    let region: String
    let customize: CustomizeToken

    struct Tokens: Sendable {
        var access: Secret<String>
        /// `nil` where a sign-in in a browser did not ask for `openid`.
        var id: Secret<String>?
    }

    /// - Parameters:
    ///   - nonce: as the request for a code had it.
    ///   - scopes: those of the granted that are asked for; `nil` for all.
    func tokens(
        for issued: IssuedSession, issuer: String, client: Client, call: CallContext, nonce: String? = nil,
        scopes: [String]? = nil, trigger: HookQuestion.TokenTrigger? = nil
    ) async throws -> Tokens {
        let (directory, now) = (call.directory, call.now)
        let key = try await keys.signingKey(.compatibility, of: directory, at: now)
        let claims = TokenClaims(
            issued: issued, issuer: issuer, client: client, pool: PoolSettings(directory.settings),
            eventID: random.uuid(), issuedAt: now, granted: scopes ?? issued.session.grant?.scopes,
            deviceKey: deviceKey(of: issued.session, in: directory))
        let hasID = claims.granted?.contains(HostedScope.openID) ?? true
        let own = [claims.access(tokenID: random.uuid())] + (hasID ? [claims.id(tokenID: random.uuid())] : [])
        let said = try await customize(own, of: issued, trigger: trigger, call: call)
        let access = try JWS.sign(said[0], type: nil, with: key)
        guard hasID, said.count == 2 else { return Tokens(access: Secret(access)) }
        var id = said[1]
        if claims.granted != nil {
            id["nonce"] = nonce.map { .string($0) }
            id["at_hash"] = .string(Self.hash(of: access))
        }
        return Tokens(access: Secret(access), id: Secret(try JWS.sign(id, type: nil, with: key)))
    }

    private func deviceKey(of session: Session, in directory: Directory) -> String? {
        guard directory.settings.devices.tracked else { return nil }
        return session.rememberedDevice.map { DeviceKey.text(of: $0, region: region) }
    }

    /// The token of a client that acts for itself. Its subject is the client.
    func token(
        of client: Client, scopes: [String], issuer: String, in directory: Directory, until expiry: Instant,
        at now: Instant
    ) async throws -> Secret<String> {
        let key = try await keys.signingKey(.compatibility, of: directory, at: now)
        let id: JSONValue = .string(client.id.rawValue)
        let claims: JSONObject = [
            "sub": id, "token_use": "access", "scope": .string(scopes.joined(separator: " ")),
            "auth_time": .integer(now.seconds), "iss": .string(issuer), "exp": .integer(expiry.seconds),
            "iat": .integer(now.seconds), "version": .integer(TokenClaims.version), "jti": .string(random.uuid()),
            "client_id": id,
        ]
        return Secret(try JWS.sign(claims, type: nil, with: key))
    }

    /// The left half of the token's SHA-256 (OpenID Connect Core, section 3.1.3.6).
    private static func hash(of token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8)).prefix(16)))
    }
}
