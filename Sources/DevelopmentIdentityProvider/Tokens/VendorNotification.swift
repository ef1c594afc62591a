// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// What a vendor tells the app's server by itself: that somebody takes back what they agreed to.
public struct VendorNotification: Sendable {
    public var vendor: Vendor
    /// The content of the request: Apple's JSON, Google's token itself (RFC 8935).
    public var body: String
    public var contentType: String

    enum Event: String, Sendable, CaseIterable {
        /// The app is not to know them any more.
        case revoked
        /// The account is no more.
        case deleted
        /// Every session of the account has ended, as after a theft.
        case sessionsRevoked = "sessions_revoked"
    }

    /// With a slash at its end, which Google's ID tokens do not have.
    private static let riscIssuer = "https://accounts.google.com/"

    /// - Returns: `nil` where the vendor sends nothing of the kind.
    static func make(
        _ event: Event, of person: Person, at vendor: Vendor, audience: String, id: String, now: Instant,
        key: SigningKey
    ) throws -> VendorNotification? {
        switch vendor {
        case .apple:
            guard let type = [.revoked: "consent-revoked", .deleted: "account-delete"][event] as String? else {
                return nil
            }
            // The event is text in the token.
            let events: JSONObject = [
                "type": .string(type), "sub": .string(person.subject),
                "event_time": .integer(now.microseconds / 1_000),
            ]
            let claims: JSONObject = [
                "iss": "https://appleid.apple.com", "aud": .string(audience), "iat": .integer(now.seconds),
                "exp": .integer(now.seconds + 86_400), "jti": .string(id),
                "events": .string(String(decoding: events.serialized(), as: UTF8.self)),
            ]
            let payload: JSONObject = ["payload": .string(try JWS.sign(claims, type: nil, with: key))]
            return VendorNotification(
                vendor: vendor, body: String(decoding: payload.serialized(), as: UTF8.self),
                contentType: "application/json")
        case .google:
            // RISC Profile 1.0, section 2; Google's Cross-Account Protection.
            let name =
                switch event {
                case .revoked: "https://schemas.openid.net/secevent/oauth/event-type/tokens-revoked"
                case .deleted: "https://schemas.openid.net/secevent/risc/event-type/account-disabled"
                case .sessionsRevoked: "https://schemas.openid.net/secevent/risc/event-type/sessions-revoked"
                }
            let about: JSONObject = [
                "subject": [
                    "subject_type": "iss-sub", "iss": .string(riscIssuer), "sub": .string(person.subject),
                ]
            ]
            let claims: JSONObject = [
                "iss": .string(riscIssuer), "aud": .string(audience), "iat": .integer(now.seconds),
                "jti": .string(id), "events": [name: .object(about)] as JSONValue,
            ]
            return VendorNotification(
                vendor: vendor, body: try JWS.sign(claims, type: "secevent+jwt", with: key),
                contentType: "application/secevent+jwt")
        default: return nil
        }
    }
}
