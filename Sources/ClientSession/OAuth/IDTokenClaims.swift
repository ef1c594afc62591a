// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an ID token says (OpenID Connect Core 1.0, section 2). Its signature is not judged: it came by TLS straight
/// from who signs it, which section 3.1.3.7, point 6, lets stand in its place. Never for a token that came any other
/// way, and never for deciding what a user may do.
public struct IDTokenClaims: Sendable {
    /// `iss`.
    public let issuer: String?
    /// `sub`, never empty.
    public let subject: String
    /// `aud`, also where it is a single text.
    public let audience: [String]
    /// `exp`.
    public let expiresAt: Instant?
    /// As the token carries it: a provider's kit may have hashed it.
    public let nonce: String?
    /// All claims, as they stand in the token.
    public let members: JSONObject

    /// - Throws: `identity_token_invalid` for what is no token of 16 KiB at most with a subject.
    public init(reading token: Secret<String>) throws(AuthError) {
        let text = token.reveal()
        let segments =
            text.utf8.count <= 16 << 10
            ? text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) : []
        guard segments.count == 3, let payload = Base64URL.decode(segments[1]),
            let members = try? JSONObject(
                parsing: payload, limits: JSONLimits(depth: 16, members: 500, bytes: 16 << 10)),
            let subject = members["sub"]?.stringValue, !subject.isEmpty
        else { throw AuthError(.identityTokenInvalid, reason: "the ID token can't be read") }
        self.subject = subject
        self.members = members
        issuer = members["iss"]?.stringValue
        audience =
            members["aud"]?.stringValue.map { [$0] } ?? members["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
        nonce = members["nonce"]?.stringValue
        expiresAt =
            switch members["exp"] {
            case .integer(let seconds): Instant(seconds: seconds)
            case .number(let seconds) where seconds.magnitude < 1e12: Instant(seconds: Int64(seconds))
            default: nil
            }
    }

    /// Section 3.1.3.7, points 2 to 5, 9 and 11.
    ///
    /// - Parameters:
    ///   - issuer: `nil` where the app does not know it.
    ///   - nonce: as it was sent. `nil` for a token of a refresh (section 12.2).
    ///   - now: what time the server says it is; the device's clock may be wrong. A time that is up to five minutes off
    ///     is taken.
    /// - Throws: `identity_token_invalid`.
    public func check(
        issuer: String?, clientID: String, nonce: Secret<String>?, now: Instant
    ) throws(AuthError) {
        if let issuer, self.issuer.map({ $0.utf8.elementsEqual(issuer.utf8) }) != true {
            throw AuthError(.identityTokenInvalid, reason: "the ID token is another issuer's")
        }
        guard audience.containsOctets(of: clientID),
            members["azp"].map({ $0.stringValue.map { $0.utf8.elementsEqual(clientID.utf8) } == true })
                ?? (audience.count == 1)
        else { throw AuthError(.identityTokenInvalid, reason: "the ID token is for another client") }
        if let nonce {
            guard constantTimeEqual(Array((self.nonce ?? "").utf8), Array(nonce.reveal().utf8)) else {
                throw AuthError(.identityTokenInvalid, reason: "the ID token is not of this sign-in")
            }
        }
        guard let expiresAt, now < expiresAt + .minutes(5) else {
            throw AuthError(.identityTokenInvalid, reason: "the ID token is too old")
        }
    }

    /// The user by the standard claims (section 5.1).
    ///
    /// - Parameter provider: how the user signed in, where it is known.
    public func user(provider: String? = nil) -> SessionUser {
        SessionUser(
            subject: subject, email: members["email"]?.stringValue,
            emailVerified: members["email_verified"]?.isTrue, phoneNumber: members["phone_number"]?.stringValue,
            name: members["name"]?.stringValue, picture: members["picture"]?.stringValue, provider: provider,
            attributes: profile)
    }

    /// What is about the user and not about the token.
    private var profile: JSONObject {
        var profile: JSONObject = [:]
        let ofToken: Set<String> = [
            "iss", "aud", "azp", "exp", "iat", "nbf", "jti", "nonce", "at_hash", "c_hash", "s_hash", "auth_time", "acr",
            "amr", "sid", "origin_jti", "event_id", "token_use",
        ]
        for member in members.members where !ofToken.contains(member.name) { profile[member.name] = member.value }
        return profile
    }
}

extension JSONValue {
    /// A truth, also where a service writes it as a text.
    public var isTrue: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }
}
