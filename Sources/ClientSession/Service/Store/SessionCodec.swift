// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A session as bytes for a ``SecureStore``: a JSON object with a version. What can't be read by it is corrupted, or of
/// a later version of the app; both are put aside and not deleted.
enum SessionCodec {
    static let version: Int64 = 1
    /// More than a service's longest tokens and whatever it tells of a user.
    static let limits = JSONLimits(depth: 32, members: 10_000, bytes: 1 << 20)

    /// Within what ``decode(_:)`` reads: a profile that is too much for that is left out, since the service tells it
    /// again, and nobody is signed out for it at the next start.
    static func encode(_ kept: KeptSession) -> [UInt8] {
        let whole = object(kept)
        if let text = try? whole.serialized(within: limits) { return text }
        var kept = kept
        kept.user = SessionUser(subject: kept.user.subject, isAnonymous: kept.user.isAnonymous)
        return object(kept).serialized()
    }

    private static func object(_ kept: KeptSession) -> JSONObject {
        var tokens: JSONObject = [
            "access": .string(kept.tokens.accessToken.reveal()),
            "lifetime": .integer(kept.tokens.lifetime.microseconds),
            "attachments": .object(object(kept.tokens.attachments.reveal())),
        ]
        tokens["id"] = kept.tokens.idToken.map { .string($0.reveal()) }
        tokens["refresh"] = kept.tokens.refreshToken.map { .string($0.reveal()) }
        let session: JSONObject = [
            "version": .integer(version), "backend": .string(kept.backend), "family": .string(kept.family),
            "revision": .integer(kept.revision), "expiry": .integer(kept.expiry.microseconds),
            "skew": .integer(kept.skew.microseconds), "tokens": .object(tokens), "user": .object(encode(kept.user)),
        ]
        return session
    }

    /// - Returns: `nil` for anything that ``encode(_:)`` of this version did not write.
    static func decode(_ bytes: [UInt8]) -> KeptSession? {
        guard let session = try? JSONObject(parsing: bytes, limits: limits),
            session["version"]?.integerValue == version,
            let backend = session["backend"]?.stringValue, let family = session["family"]?.stringValue,
            let revision = session["revision"]?.integerValue, let expiry = session["expiry"]?.integerValue,
            let skew = session["skew"]?.integerValue,
            let tokens = session["tokens"]?.objectValue.flatMap(tokens(_:)),
            let user = session["user"]?.objectValue.flatMap(user(_:))
        else { return nil }
        return KeptSession(
            backend: backend, family: family, revision: revision, tokens: tokens, user: user,
            expiry: Instant(microseconds: expiry), skew: TimeSpan(microseconds: skew))
    }

    private static func tokens(_ object: JSONObject) -> TokenSet? {
        guard let access = object["access"]?.stringValue, let lifetime = object["lifetime"]?.integerValue,
            let attachments = object["attachments"]?.objectValue
        else { return nil }
        var texts: [String: String] = [:]
        for member in attachments.members { texts[member.name] = member.value.stringValue }
        return TokenSet(
            accessToken: Secret(access), idToken: object["id"]?.stringValue.map { Secret($0) },
            refreshToken: object["refresh"]?.stringValue.map { Secret($0) },
            lifetime: TimeSpan(microseconds: lifetime), attachments: Secret(texts))
    }

    private static func encode(_ user: SessionUser) -> JSONObject {
        var object: JSONObject = [
            "sub": .string(user.subject), "anonymous": .bool(user.isAnonymous),
            "attributes": .object(user.attributes),
        ]
        object["email"] = user.email.map { .string($0) }
        object["email_verified"] = user.emailVerified.map { .bool($0) }
        object["phone_number"] = user.phoneNumber.map { .string($0) }
        object["name"] = user.name.map { .string($0) }
        object["picture"] = user.picture.map { .string($0) }
        object["provider"] = user.provider.map { .string($0) }
        return object
    }

    private static func user(_ object: JSONObject) -> SessionUser? {
        guard let subject = object["sub"]?.stringValue, !subject.isEmpty else { return nil }
        return SessionUser(
            subject: subject, email: object["email"]?.stringValue, emailVerified: object["email_verified"]?.boolValue,
            phoneNumber: object["phone_number"]?.stringValue, name: object["name"]?.stringValue,
            picture: object["picture"]?.stringValue, isAnonymous: object["anonymous"]?.boolValue ?? false,
            provider: object["provider"]?.stringValue, attributes: object["attributes"]?.objectValue ?? [:])
    }

    private static func object(_ texts: [String: String]) -> JSONObject {
        var object = JSONObject()
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) { object[name] = .string(text) }
        return object
    }
}
