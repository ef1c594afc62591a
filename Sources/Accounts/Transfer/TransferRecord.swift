// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// One user as a line of JSON: what another server needs so that they can go on signing in. Sessions and one-time
/// tokens stay behind.
struct TransferRecord: Sendable {
    var user: User
    /// Whether the user's own identifier is from the line, and not made for them.
    var hasOwnIdentifier = true
    var identities: [Identity]
    /// Names of groups.
    var groups: [String]
    var profile: Profile?
    /// Those that count.
    var factors: [Factor] = []

    /// The password hash is in its PHC or crypt form. Instants are RFC 3339; what is not known is left out.
    var line: String {
        var json = JSONObject()
        json["id"] = .string(user.id.rawValue)
        json["external_identifiers"] = Self.members(user.externalIdentifiers.json)
        json["email"] = user.email.map { .string($0.rawValue) }
        json["email_verified_at"] = Self.time(user.emailVerifiedAt)
        if user.sharesEmail { json["shares_email"] = true }
        json["phone"] = user.phone.map { .string("+" + $0.digits) }
        json["phone_verified_at"] = Self.time(user.phoneVerifiedAt)
        if user.sharesPhone { json["shares_phone"] = true }
        json["confirmed_at"] = Self.time(user.confirmedAt)
        json["username"] = user.username.map { .string($0.rawValue) }
        json["password_hash"] = user.passwordHash.map { .string($0.encoded) }
        if let temporary = user.temporaryPassword {
            json["password_is_temporary"] = true
            json["temporary_password_expires_at"] = Self.time(temporary.expiresAt)
        }
        json["password_changed_at"] = Self.time(user.passwordChangedAt)
        json["tokens_valid_since"] = Self.time(user.tokensValidSince)
        json["app_metadata"] = Self.members(user.appMetadata)
        json["user_metadata"] = Self.members(user.userMetadata)
        json["dialects"] = Self.members(user.dialectData.json)
        json["role"] = user.role.map(JSONValue.string)
        if user.isAnonymous { json["is_anonymous"] = true }
        json["banned_until"] = Self.time(user.bannedUntil)
        json["deletion_due_at"] = Self.time(user.deletionDueAt)
        json["invited_at"] = Self.time(user.invitedAt)
        json["last_sign_in_at"] = Self.time(user.lastSignInAt)
        json["language"] = user.language.map { .string($0.rawValue) }
        json["origin"] = .string(user.origin.rawValue)
        json["created_at"] = Self.time(user.createdAt)
        json["updated_at"] = Self.time(user.updatedAt)
        // In an order of their own, so that two exports of one user are the same text.
        let ordered = identities.sorted {
            ($0.createdAt, $0.provider, $0.subject) < ($1.createdAt, $1.provider, $1.subject)
        }
        if !ordered.isEmpty { json["identities"] = .array(ordered.map { .object(Self.encode($0)) }) }
        let proved = factors.filter(\.isVerified)
        if !proved.isEmpty { json["factors"] = .array(proved.map { .object(Self.encode($0)) }) }
        let damage = user.damage + identities.flatMap(\.damage) + proved.flatMap(\.damage)
        if !damage.isEmpty {
            json["damaged"] = .array(damage.map { ["column": .string($0.column), "raw": .string($0.raw)] })
        }
        if !groups.isEmpty { json["groups"] = .array(groups.map(JSONValue.string)) }
        if let profile {
            var members = JSONObject()
            members["name"] = profile.name.map(JSONValue.string)
            members["picture"] = profile.picture.map(JSONValue.string)
            members["locale"] = profile.locale.map(JSONValue.string)
            json["profile"] = Self.members(members)
        }
        return json.text
    }

    private static func encode(_ identity: Identity) -> JSONObject {
        var json: JSONObject = [
            "provider": .string(identity.provider), "subject": .string(identity.subject),
        ]
        json["data"] = members(identity.data)
        json["created_at"] = time(identity.createdAt)
        json["last_sign_in_at"] = time(identity.lastSignInAt)
        return json
    }

    private static func members(_ object: JSONObject) -> JSONValue? {
        guard !object.isEmpty else { return nil }
        return .object(object)
    }

    private static func time(_ instant: Instant?) -> JSONValue? { instant.map { .string($0.rfc3339) } }
}
