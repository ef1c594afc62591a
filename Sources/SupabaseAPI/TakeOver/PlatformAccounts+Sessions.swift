// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension PlatformAccounts {
    /// - Returns: no session for one that a client of the platform's OAuth server was given: its clients are not taken
    ///   over. Beside it, what stays.
    func session(_ row: PlatformRow, of user: User) throws -> (session: BroughtSession?, left: TakeOver.Counts) {
        var left = TakeOver.Counts()
        let chain = try tokens(row)
        guard row.text("oauth_client_id") == nil else {
            left[.sessions] = 1
            left[.tokens] = chain.live.count
            return (nil, left)
        }
        let id = try row.identifier("id")
        let createdAt = try row.time("created_at", otherwise: user.createdAt)
        let lastToken = (chain.dead + chain.live).last
        var session = BroughtSession(
            id: SessionID(id), createdAt: createdAt,
            lastActiveAt: try row.time("refreshed_at") ?? lastToken?.givenAt ?? createdAt)
        session.device.userAgent = row.text("user_agent").map(Self.shown)
        session.device.truncatedAddress = row.text("ip").flatMap { ClientAddress($0)?.truncated }
        session.assurance = assurance(row.text("aal"))
        session.methods = try methods(row, createdAt)
        let timebox = directory.settings.sessions.timebox
        let ends = [try row.time("not_after"), timebox > 0 ? createdAt + .seconds(timebox) : nil].compactMap(\.self)
        session.notAfter = ends.min()
        session.chain = chain.dead + chain.live.suffix(1)
        session.twins = chain.live.dropLast()
        if chain.live.isEmpty, let last = chain.dead.last { session.endedAt = max(last.givenAt, createdAt) }
        return (session, left)
    }

    /// As much of a user agent as a list of sessions shows.
    private static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(300)))
    }

    private func assurance(_ text: String?) -> AssuranceLevel {
        switch text {
        case "aal2": .aal2
        case "aal3": .aal3
        default: .aal1
        }
    }

    private func methods(_ row: PlatformRow, _ createdAt: Instant) throws -> [AuthenticationMethod] {
        let factor = row.text("factor_id").map { FactorID($0) }
        return try row.rows("methods").compactMap { claim in
            // A refresh is no way to show who one is.
            guard let name = claim.text("authentication_method"), name != "token_refresh", name.utf8.count <= 64,
                !name.utf8.contains(where: { $0 <= 0x20 })
            else { return nil }
            let at = try claim.time("updated_at") ?? claim.time("created_at", otherwise: createdAt)
            let isFactor = name == "totp" || name.hasPrefix("mfa/")
            return AuthenticationMethod(.init(rawValue: name), at: at, factor: isFactor ? factor : nil)
        }
        .sorted { $0.at < $1.at }
    }

    // MARK: Refresh tokens

    private struct Tokens {
        var dead: [BroughtSession.Token] = []
        var live: [BroughtSession.Token] = []
    }

    /// Those of its rows, in the order in which they were given, and those that are made of the session's key and a
    /// count (supabase/auth, `internal/crypto/refresh_tokens.go`), of which the last is good.
    private func tokens(_ row: PlatformRow) throws -> Tokens {
        var tokens = Tokens()
        let counted = try countedTokens(row)
        for token in row.rows("tokens") {
            guard let text = token.text("token") else { continue }
            let given = BroughtSession.Token(
                Secret(text), givenAt: try token.time("created_at") ?? token.time("updated_at", otherwise: now))
            if token.flag("revoked") { tokens.dead.append(given) } else { tokens.live.append(given) }
        }
        guard let last = counted.last else { return tokens }
        tokens.dead += counted.dropLast()
        tokens.live.append(last)
        return tokens
    }

    private func countedTokens(_ row: PlatformRow) throws -> [BroughtSession.Token] {
        guard let counter = row.whole("refresh_token_counter"), counter >= 0,
            let text = row.text("refresh_token_hmac_key")
        else { return [] }
        let id = try row.identifier("id")
        guard let key = Base64URL.decode(try secrets.opened(text, of: id, "refresh_token_hmac_key").reveal()),
            let octets = UUIDText.decode(SessionID(id).rawValue)
        else { throw AuthError(.invalidRequest, reason: "no key in BASE64URL", field: "refresh_token_hmac_key") }
        let last = try row.time("refreshed_at") ?? row.time("created_at", otherwise: now)
        let first = max(0, counter - CountedToken.remembered)
        return (first...counter).map { count in
            // When those before the last one were given, nobody wrote down: long enough ago.
            let at = last - .hours(counter - count)
            return BroughtSession.Token(
                Secret(CountedToken.text(session: octets, count: UInt64(count), key: Secret(key))), givenAt: at)
        }
    }
}
