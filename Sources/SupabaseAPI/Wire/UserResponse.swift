// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The user object of every answer, member for member as the platform's own server writes it.
struct UserResponse {
    static func encode(_ record: UserRecord, in directory: Directory) -> JSONObject {
        encode(record.user, identities: record.identities, in: directory)
    }

    static func encode(_ user: User, identities: [Identity], in directory: Directory) -> JSONObject {
        var json = JSONObject()
        let shown = ShownIdentities(identities, of: user)
        json["id"] = .string(user.identifier(in: SupabaseDialect.name))
        json["aud"] = .string(AccessTokenClaims.audience(of: directory))
        json["role"] = .string(user.role ?? AccessTokenClaims.defaultRole)
        json["email"] = .string(user.email?.rawValue ?? "")
        json["email_confirmed_at"] = time(user.emailVerifiedAt)
        json["invited_at"] = time(user.invitedAt)
        json["phone"] = .string(user.phone?.digits ?? "")
        json["phone_confirmed_at"] = time(user.phoneVerifiedAt)
        json["confirmation_sent_at"] = time(user.sent.confirmation)
        json["confirmed_at"] = time([user.emailVerifiedAt, user.phoneVerifiedAt].compactMap { $0 }.min())
        json["recovery_sent_at"] = time(user.sent.recovery)
        json["new_email"] = user.pendingEmail.map { .string($0.rawValue) }
        json["email_change_sent_at"] = time(user.sent.emailChange)
        json["new_phone"] = user.pendingPhone.map { .string($0.digits) }
        json["phone_change_sent_at"] = time(user.sent.phoneChange)
        json["reauthentication_sent_at"] = time(user.sent.reauthentication)
        json["last_sign_in_at"] = time(user.lastSignInAt)
        json["app_metadata"] = .object(appMetadata(of: user, identities))
        json["user_metadata"] = .object(metadata(of: user, identities))
        json["identities"] = .array(shown.all.map { .object(encode($0, of: user)) })
        json["created_at"] = time(user.createdAt)
        json["updated_at"] = time(user.updatedAt)
        json["banned_until"] = time(user.bannedUntil)
        json["deleted_at"] = time(user.deletedAt)
        // No member of the platform's: nobody there has such users.
        if user.isDamaged { json["damaged"] = .array(user.damage.map { .string($0.column) }) }
        json["is_anonymous"] = .bool(user.isAnonymous)
        return json
    }

    private static func encode(_ identity: Identity, of user: User) -> JSONObject {
        let (own, shown) = (user.id.rawValue, user.identifier(in: SupabaseDialect.name))
        var data = isFederated(identity) ? IdentityData(identity).json : identity.data
        // Of an address or a number the subject is the user.
        if data["sub"]?.stringValue == own { data["sub"] = .string(shown) }
        var json = JSONObject()
        json["identity_id"] = .string(identity.id.rawValue)
        json["id"] = .string(identity.subject == own ? shown : identity.subject)
        json["user_id"] = .string(shown)
        json["identity_data"] = .object(data)
        json["provider"] = .string(ProviderName(of: identity.provider).wire)
        json["last_sign_in_at"] = time(identity.lastSignInAt)
        json["created_at"] = time(identity.createdAt)
        json["updated_at"] = time(identity.updatedAt)
        json["email"] = identity.data["email"]
        return json
    }

    /// What users write of themselves, with what the platform writes there when an address is confirmed. It is made up
    /// here from what was proved, so that whoever reads a token is told the truth whatever a user has written.
    ///
    /// What providers say of a user stands there too, and is not kept there: what a user has written of themselves
    /// stays, whatever the next sign-in brings. Of several providers the one that was used last has the say.
    static func metadata(of user: User, _ identities: [Identity]) -> JSONObject {
        var metadata = JSONObject()
        let federated = identities.filter(isFederated)
        for identity in federated.sorted(by: { ($0.lastSignInAt ?? $0.createdAt) < ($1.lastSignInAt ?? $1.createdAt) })
        {
            metadata = metadata.merging(IdentityData(identity).metadata)
        }
        metadata = metadata.merging(user.userMetadata)
        if user.emailVerifiedAt != nil || metadata["email_verified"] != nil {
            metadata["email_verified"] = .bool(user.emailVerifiedAt != nil)
        }
        return metadata
    }

    /// What operators write, with providers called as the platform calls them.
    static func appMetadata(of user: User, _ identities: [Identity]) -> JSONObject {
        var metadata = user.appMetadata
        func shown(_ name: String) -> JSONValue { .string(ProviderName(of: name).wire) }
        if let provider = metadata["provider"]?.stringValue { metadata["provider"] = shown(provider) }
        if let providers = metadata["providers"]?.arrayValue {
            let names = ShownIdentities(identities, of: user).names(providers.compactMap(\.stringValue))
            metadata["providers"] = .array(names.map(shown))
        }
        return metadata
    }

    /// Whether a provider has vouched for it, and not a message to an address or a number.
    static func isFederated(_ identity: Identity) -> Bool {
        identity.provider != "email" && identity.provider != "phone"
    }

    private static func time(_ instant: Instant?) -> JSONValue? { instant.map { .string($0.rfc3339) } }
}
