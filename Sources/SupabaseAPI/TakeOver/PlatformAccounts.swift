// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Passwords

/// Makes accounts of what the platform's tables say of them (supabase/auth, `migrations`).
public struct PlatformAccounts: Sendable {
    let directory: Directory
    let secrets: PlatformSecrets
    /// The names of the identity providers that the Directory has: those are its own words.
    let ownProviders: Set<String>
    /// The host of the app's site.
    let site: String?
    let now: Instant

    public init(
        into directory: Directory, secrets: PlatformSecrets, ownProviders: Set<String>, site: String?, at now: Instant
    ) {
        self.directory = directory
        self.secrets = secrets
        self.ownProviders = ownProviders
        self.site = site
        self.now = now
    }

    /// - Parameter json: a row of `users`, with those of other tables that are its own.
    /// - Throws: ``AuthErrorCode`` whose field is the column that can't be taken over; quotes no value.
    public func account(_ json: JSONObject) throws -> BroughtAccount {
        let row = PlatformRow(json)
        var account = BroughtAccount(try user(row))
        account.identities = try row.rows("identities").compactMap { try identity($0, of: account.user) }
        account.left[.identities] = row.rows("identities").count - account.identities.count
        account.user.name(platformProviders: row.object("raw_app_meta_data"))
        for factor in row.rows("factors") {
            if let factor = try self.factor(factor, of: account.user, beside: account.factors) {
                account.factors.append(factor)
            } else {
                account.left[.factors] += 1
            }
        }
        for passkey in row.rows("passkeys") {
            account.factors.append(try self.passkey(passkey, of: account.user, beside: account.factors))
        }
        for session in row.rows("sessions") {
            let (brought, left) = try self.session(session, of: account.user)
            if let brought { account.sessions.append(brought) }
            account.left = account.left + left
        }
        return account
    }

    private func user(_ row: PlatformRow) throws -> User {
        let createdAt = try row.time("created_at", otherwise: now)
        let id = try row.identifier("id")
        var user = User(id: UserID(id), directoryID: directory.id, createdAt: createdAt)
        user.updatedAt = try row.time("updated_at", otherwise: createdAt)
        user.email = try row.text("email").map { try EmailAddress($0) }
        user.emailVerifiedAt = user.email == nil ? nil : try row.time("email_confirmed_at")
        user.phone = try row.text("phone").map { try PhoneNumber($0) }
        user.phoneVerifiedAt = user.phone == nil ? nil : try row.time("phone_confirmed_at")
        // Whom a single sign-on vouches for is called by that, and may have the address that another is called by.
        user.sharesEmail = row.flag("is_sso_user") && user.email != nil
        if let text = row.text("encrypted_password") {
            let hash = try secrets.opened(text, of: id, "encrypted_password")
            do {
                user.passwordHash = try PasswordHash(hash.reveal())
            } catch {
                throw AuthError(
                    .invalidRequest, reason: "no hash of a form and cost that is taken", field: "encrypted_password")
            }
        }
        user.appMetadata = row.object("raw_app_meta_data")
        user.userMetadata = row.object("raw_user_meta_data")
        try directory.settings.requireBounded(user.appMetadata, "raw_app_meta_data")
        try directory.settings.requireBounded(user.userMetadata, "raw_user_meta_data")
        let role = row.text("role")
        user.role = role == AccessTokenClaims.defaultRole ? nil : role
        user.isAnonymous = row.flag("is_anonymous")
        user.bannedUntil = row.text("banned_until") == "infinity" ? User.forever : try row.time("banned_until")
        user.invitedAt = try row.time("invited_at")
        user.lastSignInAt = try row.time("last_sign_in_at")
        user.sent.confirmation = try row.time("confirmation_sent_at")
        user.sent.recovery = try row.time("recovery_sent_at")
        user.sent.emailChange = try row.time("email_change_sent_at")
        user.sent.phoneChange = try row.time("phone_change_sent_at")
        user.sent.reauthentication = try row.time("reauthentication_sent_at")
        // Nobody has proved whose an address is that was never confirmed: it may be anybody's who signed up with it.
        user.origin = user.isProved || user.isAnonymous ? .transfer : user.invitedAt == nil ? .signUp : .invitation
        return user
    }

    /// `nil` for one that follows from an address or a number which the user has no more.
    private func identity(_ row: PlatformRow, of user: User) throws -> Identity? {
        guard let name = row.text("provider"), name.utf8.count <= 64, let subject = row.text("provider_id"),
            subject.utf8.count <= 512
        else { throw AuthError(.invalidRequest, reason: "no provider and name of its", field: "identities") }
        let isLocal = name == "email" || name == "phone"
        if name == "email" && user.email == nil || name == "phone" && user.phone == nil { return nil }
        let provider = ownProviders.contains(name) ? name : ProviderName(name).ours
        var data = row.object("identity_data")
        // Of who has one issuer the platform writes down other places of theirs.
        if Self.ofOneIssuer.contains(provider) { data["iss"] = nil }
        try directory.settings.requireBounded(data, "identities")
        let createdAt = try row.time("created_at", otherwise: user.createdAt)
        return Identity(
            id: IdentityID(try row.identifier("id")), directoryID: directory.id, userID: user.id, provider: provider,
            subject: isLocal ? user.id.rawValue : subject, data: data,
            lastSignInAt: try row.time("last_sign_in_at"), createdAt: createdAt,
            updatedAt: try row.time("updated_at", otherwise: createdAt))
    }

    private static let ofOneIssuer = Set(
        [IdentityProvider.Kind.google, .apple, .github, .facebook].map(\.rawValue))
}

extension User {
    /// Calls the providers in the metadata that only operators write as they are called here.
    fileprivate mutating func name(platformProviders metadata: JSONObject) {
        if let provider = metadata["provider"]?.stringValue {
            appMetadata["provider"] = .string(ProviderName(provider).ours)
        }
        if let providers = metadata["providers"]?.arrayValue?.compactMap(\.stringValue) {
            appMetadata["providers"] = .array(providers.map { .string(ProviderName($0).ours) })
        }
    }
}
