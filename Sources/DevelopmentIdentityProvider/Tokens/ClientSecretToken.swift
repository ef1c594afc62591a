// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// The token by which an app proves itself to Apple: signed with its team's key, for this one client, and good for no
/// more than six months.
enum ClientSecretToken {
    static let audience = "https://appleid.apple.com"
    private static let longest: Int64 = 15_777_000

    static func isValid(_ text: String, of clientID: String, keys: ProviderKeys, at now: Instant) -> Bool {
        guard let token = try? ParsedJWS(parsing: text.utf8), keys.isOfTeam(token),
            let claims = try? JWTClaims(parsing: token.payload), let end = claims.expiresAt,
            let start = claims.issuedAt
        else { return false }
        return claims.issuer == Registration.appleTeamID && claims.subject == clientID
            && claims.audience == [audience] && end > now && start <= now + .seconds(60)
            && end.seconds - start.seconds <= longest
    }
}
