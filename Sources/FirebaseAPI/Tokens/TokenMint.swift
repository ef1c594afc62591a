// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// What a signed-in client is given.
struct TokenSet: Sendable {
    var localID: String
    var idToken: Secret<String>
    var refreshToken: Secret<String>
    /// Seconds.
    var expiresIn: Int64

    /// Adds the members of every answer that signs somebody in. The number is a string, as 64-bit numbers are here.
    func add(to object: inout JSONObject) {
        object["idToken"] = .string(idToken.reveal())
        object["refreshToken"] = .string(refreshToken.reveal())
        object["expiresIn"] = .string(String(expiresIn))
    }
}

/// Signs this dialect's ID tokens with the Directory's RSA key.
struct TokenMint: Sendable {
    let keys: KeyRing

    func tokens(for issued: IssuedSession, in directory: Directory, at now: Instant) async throws -> TokenSet {
        let claims = IDTokenClaims.encode(issued, in: directory, at: now)
        let key = try await keys.signingKey(.compatibility, of: directory, at: now)
        return TokenSet(
            localID: issued.user.localID, idToken: Secret(try JWS.sign(claims.serialized(), with: key)),
            refreshToken: Secret(RefreshTokenText(issued.refreshToken.reveal(), in: directory).text),
            expiresIn: max(0, issued.idExpiresAt.seconds - now.seconds))
    }
}

/// A refresh token as this dialect's clients hold it. They refresh with the project's key and name no tenant, so the
/// token of a tenant's user says whose it is.
struct RefreshTokenText: Sendable {
    /// In neither a Directory's name nor BASE64URL.
    private static let separator = UInt8(ascii: "~")

    let token: String
    let tenant: String?

    init(_ token: String, in directory: Directory) {
        self.token = token
        tenant = directory.tenantID
    }

    /// Takes a client's text apart.
    init(_ text: String) {
        guard let end = text.utf8.firstIndex(of: Self.separator) else {
            tenant = nil
            token = text
            return
        }
        tenant = String(text[..<end])
        token = String(text[text.utf8.index(after: end)...])
    }

    var text: String { tenant.map { $0 + "~" + token } ?? token }
}
