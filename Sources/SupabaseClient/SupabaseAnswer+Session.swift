// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseService.Answer {
    var hasSession: Bool { members["access_token"] != nil }

    /// A session as every way in answers with one.
    func session() throws(AuthError) -> SessionGrant {
        guard let access = token("access_token"), let refresh = token("refresh_token"),
            let user = members["user"]?.objectValue
        else { throw Self.unreadable }
        return SessionGrant(
            tokens: TokenSet(accessToken: access, refreshToken: refresh, lifetime: lifetime(of: access)),
            user: try SessionUser(supabase: user), serverDate: serverDate)
    }

    /// The user alone, as `/user` answers.
    func user() throws(AuthError) -> SessionUser { try SessionUser(supabase: members) }

    private static var unreadable: AuthError { AuthError(.unavailable, reason: "the answer is no session") }

    private func token(_ name: String) -> Secret<String>? {
        guard let text = members[name]?.stringValue, (1...(64 << 10)).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return Secret(text)
    }

    private func lifetime(of token: Secret<String>) -> TimeSpan {
        switch members["expires_in"] {
        case .integer(let seconds): .seconds(min(max(seconds, 0), 315_360_000))
        default: SupabaseClaims(token)?.rest(at: serverDate) ?? .zero
        }
    }
}

/// What the app may know of its own access token. Nothing is decided by it but when to ask again, and for what.
struct SupabaseClaims: Sendable {
    private let claims: IDTokenClaims

    init?(_ token: Secret<String>) {
        guard let claims = try? IDTokenClaims(reading: token) else { return nil }
        self.claims = claims
    }

    var subject: String { claims.subject }

    /// Of which session of the user's it is (`session_id`).
    var session: String? { claims.members["session_id"]?.stringValue }

    /// Whether a second factor was shown (`aal2`).
    var isOfTwoFactors: Bool { claims.members["aal"]?.stringValue == "aal2" }

    /// How much of its life is left by the service's own clock. `nil` where nobody knows.
    func rest(at date: Instant?) -> TimeSpan? {
        guard let date, let end = claims.expiresAt else { return nil }
        return max(end - date, .zero)
    }
}
