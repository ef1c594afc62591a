// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Reads what a provider tells of its users without being asked, once it is known to be the provider's.
enum SecurityEvents {
    /// A statement older than this is not heeded any more, so that its identifier need not be remembered for longer.
    static let oldest = TimeSpan.days(7)

    /// When a statement was made, and by which name it is known.
    ///
    /// - Throws: `AuthErrorCode.identityTokenInvalid` for one that is too old, from the future, or has none.
    static func origin(_ claims: JWTClaims, now: Instant) throws(AuthError) -> (id: String, at: Instant) {
        guard let id = claims.tokenID, (1...255).contains(id.utf8.count), let issuedAt = claims.issuedAt else {
            throw AuthError(.identityTokenInvalid, reason: "an event without jti or iat")
        }
        guard issuedAt <= now + IDTokenProfile.leeway, now < issuedAt + oldest,
            SignedStatement.isInTime(claims, at: now)
        else { throw AuthError(.identityTokenInvalid, reason: "an event of another time") }
        return (id, issuedAt)
    }

    /// Of Apple ("Processing changes for Sign in with Apple accounts"): `events` is text with one object in it.
    static func apple(_ claims: JWTClaims, now: Instant) throws(AuthError) -> [UpstreamEvent] {
        let origin = try origin(claims, now: now)
        let limits = JSONLimits(depth: 4, members: 64, bytes: 8 << 10)
        let object =
            claims["events"]?.objectValue
            ?? claims["events"]?.stringValue.flatMap { try? JSONObject(parsing: $0.utf8, limits: limits) }
        guard let object, let type = object["type"]?.stringValue, let subject = subject(object["sub"]) else {
            throw AuthError(.identityTokenInvalid, reason: "not an event")
        }
        let kind: UpstreamEvent.Kind
        switch type {
        case "consent-revoked": kind = .consentRevoked
        case "account-delete", "account-deleted": kind = .accountDeleted
        case "email-disabled": kind = .emailDisabled
        case "email-enabled": kind = .emailEnabled
        default: kind = .other
        }
        let at = object["event_time"]?.integerValue.map { TimeSpan.milliseconds($0) }
            .map { Instant(microseconds: $0.microseconds) }
        return [
            UpstreamEvent(
                kind: kind, issuer: "https://appleid.apple.com", subject: subject, id: origin.id, at: at ?? origin.at)
        ]
    }

    /// Security Event Tokens (RFC 8417) with RISC's events, as Google sends them ("Cross-Account Protection"). They
    /// don't expire.
    static func risc(_ claims: JWTClaims, issuer rule: IssuerRule, now: Instant) throws(AuthError) -> [UpstreamEvent] {
        let origin = try origin(claims, now: now)
        guard let events = claims["events"]?.objectValue, !events.isEmpty, events.count <= 16 else {
            throw AuthError(.identityTokenInvalid, reason: "not a set of events")
        }
        return events.members.map { member in
            let event = member.value.objectValue
            // Newer senders say once for all events whom they are about (RFC 9493, section 4).
            let about = event?["subject"]?.objectValue ?? claims["sub_id"]?.objectValue
            let issuer = about?["iss"]?.stringValue
            var other = UpstreamEvent(kind: .other, issuer: "", subject: "", id: origin.id, at: origin.at)
            if member.name == verification {
                other.kind = .verification
                other.reason = event?["state"]?.stringValue.map { String($0.prefix(64)) }
            }
            guard let kind = kind(member.name), case .one(let name, _) = rule, let issuer, names(issuer, rule),
                let subject = subject(about?["sub"])
            else { return other }
            let reason = event?["reason"]?.stringValue.map { String($0.prefix(64)) }
            return UpstreamEvent(
                kind: kind, issuer: name, subject: subject, id: origin.id, at: origin.at, reason: reason)
        }
    }

    private static let verification = "https://schemas.openid.net/secevent/risc/event-type/verification"

    private static func kind(_ name: String) -> UpstreamEvent.Kind? {
        let risc = "https://schemas.openid.net/secevent/risc/event-type/"
        let oauth = "https://schemas.openid.net/secevent/oauth/event-type/"
        return switch name {
        case risc + "sessions-revoked": .sessionsRevoked
        case risc + "account-disabled": .accountDisabled
        case risc + "account-enabled": .accountEnabled
        case risc + "account-purged": .accountDeleted
        case risc + "account-credential-change-required": .credentialChangeRequired
        case oauth + "tokens-revoked", oauth + "token-revoked": .tokensRevoked
        default: nil
        }
    }

    /// Google writes its name with a slash at the end here, which others' names have everywhere.
    private static func names(_ issuer: String, _ rule: IssuerRule) -> Bool {
        rule.fits(issuer) || issuer.hasSuffix("/") && rule.fits(String(issuer.dropLast()))
    }

    private static func subject(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, (1...255).contains(text.unicodeScalars.count) else { return nil }
        return text
    }
}
