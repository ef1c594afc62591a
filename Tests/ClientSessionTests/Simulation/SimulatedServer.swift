// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

/// A service with rotating refresh tokens: each has one successor, the one before the present is answered with that
/// successor once more, and an older one ends the whole family.
struct SimulatedServer {
    struct Family {
        let user: String
        let lifetime: TimeSpan
        var number = 0
        var end: AuthErrorCode?
        /// What the user is called, which changes now and then.
        var name = 0
    }

    private(set) var families: [Family] = []
    private var issued: [String: (family: Int, number: Int)] = [:]
    /// How often a token came that was replaced twice.
    private(set) var reuses = 0

    mutating func signIn(_ user: String, lifetime: TimeSpan) -> Int {
        families.append(Family(user: user, lifetime: lifetime))
        return families.count - 1
    }

    /// The family's present tokens.
    mutating func grant(_ family: Int, withUser: Bool, date: Instant?) -> SessionGrant {
        let number = families[family].number
        let access = "access-\(family)-\(number)"
        let refresh = "refresh-\(family)-\(number)"
        issued[access] = (family, number)
        issued[refresh] = (family, number)
        return SessionGrant(
            tokens: TokenSet(
                accessToken: Secret(access), refreshToken: Secret(refresh), lifetime: families[family].lifetime),
            user: withUser ? shown(family) : nil, serverDate: date)
    }

    mutating func refresh(_ tokens: TokenSet, date: Instant?) -> Result<SessionGrant, AuthError> {
        guard let token = tokens.refreshToken, let (family, number) = issued[token.reveal()] else {
            return .failure(AuthError(.refreshTokenNotFound))
        }
        if let end = families[family].end { return .failure(AuthError(end)) }
        switch families[family].number - number {
        case 0: families[family].number += 1
        case 1: break
        default:
            reuses += 1
            families[family].end = .refreshTokenReused
            return .failure(AuthError(.refreshTokenReused))
        }
        return .success(grant(family, withUser: number % 2 == 0, date: date))
    }

    /// Shows a second factor: the family's tokens are others from then on. An access token that was replaced since is
    /// taken for as long as it lives.
    mutating func raise(_ tokens: TokenSet, date: Instant?) -> Result<SessionGrant, AuthError> {
        guard let (family, number) = issued[tokens.accessToken.reveal()] else {
            return .failure(AuthError(.tokenInvalid))
        }
        if let end = families[family].end { return .failure(AuthError(end)) }
        // Shown twice, as by a network that repeats, it is answered with the same.
        if families[family].number == number { families[family].number += 1 }
        return .success(grant(family, withUser: true, date: date))
    }

    func user(_ tokens: TokenSet) -> Result<SessionUser, AuthError> {
        guard let family = family(of: tokens) else { return .failure(AuthError(.tokenInvalid)) }
        if let end = families[family].end { return .failure(AuthError(end)) }
        return .success(shown(family))
    }

    private func shown(_ family: Int) -> SessionUser {
        SessionUser(subject: families[family].user, name: "\(families[family].name)")
    }

    mutating func rename(_ family: Int) { families[family].name += 1 }

    mutating func end(_ family: Int, _ code: AuthErrorCode) {
        if families[family].end == nil { families[family].end = code }
    }

    func family(of tokens: TokenSet) -> Int? { issued[tokens.accessToken.reveal()]?.family }
}
