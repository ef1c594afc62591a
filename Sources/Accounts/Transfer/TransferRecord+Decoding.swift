// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension TransferRecord {
    /// What one line may ask of its reader: more than what is kept of a user at most (``MetadataLimit``), so that every
    /// line of an export is read.
    static let limits = JSONLimits(
        depth: MetadataLimit.depth + 8, members: MetadataLimit.members, bytes: 16 * MetadataLimit.range.upperBound)
    private static let known: Set<String> = [
        "id", "external_identifiers", "email", "email_verified_at", "phone", "phone_verified_at", "confirmed_at",
        "shares_email", "shares_phone",
        "username",
        "password_hash",
        "password_is_temporary", "temporary_password_expires_at", "tokens_valid_since", "password_changed_at",
        "app_metadata",
        "user_metadata", "dialects", "role", "is_anonymous", "banned_until", "deletion_due_at", "invited_at",
        "last_sign_in_at", "language",
        "created_at", "updated_at", "identities", "groups", "profile", "origin", "factors",
    ]

    /// Reads a line. Every member may be missing but `id`, and that too where `external_identifiers` names one; one
    /// that is not known is a fault, so that a misspelled `password_hash` is not lost in silence.
    ///
    /// - Parameters:
    ///   - dialects: those that can call a user by an identifier brought along.
    ///   - providerNames: what identity providers are called elsewhere, and what here.
    /// - Throws: `AuthError` whose field names the member, and whose reason quotes no value.
    init(
        parsing line: String, directory: Directory, dialects: Set<DialectName>, providerNames: [String: String] = [:],
        random: any RandomSource, at now: Instant
    ) throws {
        let json: JSONObject
        do {
            json = try JSONObject(parsing: line.utf8, limits: Self.limits)
        } catch {
            throw AuthError(.invalidJSON, reason: "\(error)")
        }
        let reader = Members(json)
        guard json["damaged"] == nil else {
            throw AuthError(
                .invalidRequest, reason: "could not be read when it was exported; mend the line", field: "damaged")
        }
        if let stranger = json.names.first(where: { !Self.known.contains($0) }) {
            throw AuthError(.invalidRequest, reason: "not a member of a user", field: stranger)
        }
        let identifiers = try ExternalIdentifiers(try reader.object("external_identifiers") ?? [:])
        guard identifiers.dialects.isSubset(of: dialects) else {
            throw AuthError(.invalidRequest, reason: "not the name of a dialect", field: "external_identifiers")
        }
        let given = try reader.text("id")
        guard given.map(UUIDText.isIdentifier) ?? !identifiers.isEmpty else {
            throw AuthError(.invalidRequest, reason: "a lower-case UUID is needed", field: "id")
        }
        hasOwnIdentifier = given != nil
        let id = given.map { UserID($0) } ?? random.identifier()
        let createdAt = try reader.time("created_at") ?? now
        var user = User(
            id: id, directoryID: directory.id, externalIdentifiers: identifiers.without(id), createdAt: createdAt)
        user.email = try reader.text("email").map { try EmailAddress($0) }
        user.emailVerifiedAt = try reader.time("email_verified_at")
        user.sharesEmail = try reader.flag("shares_email") ?? false
        user.sharesPhone = try reader.flag("shares_phone") ?? false
        user.phone = try reader.text("phone").map { try PhoneNumber($0) }
        user.phoneVerifiedAt = try reader.time("phone_verified_at")
        user.confirmedAt = try reader.time("confirmed_at")
        user.passwordHash = try reader.text("password_hash").map { try PasswordHash($0) }
        user.username = try reader.text("username").map {
            try Username($0, isCaseSensitive: directory.settings.signUp.caseSensitiveNames)
        }
        if try reader.flag("password_is_temporary") ?? false {
            user.temporaryPassword = TemporaryPassword(expiresAt: try reader.time("temporary_password_expires_at"))
        }
        if user.passwordHash != nil { user.passwordChangedAt = try reader.time("password_changed_at") }
        user.tokensValidSince = try reader.time("tokens_valid_since")
        user.appMetadata = try reader.object("app_metadata") ?? [:]
        user.userMetadata = try reader.object("user_metadata") ?? [:]
        user.dialectData = try DialectData(try reader.object("dialects") ?? [:])
        try directory.settings.requireBounded(user.appMetadata, "app_metadata")
        try directory.settings.requireBounded(user.userMetadata, "user_metadata")
        try user.dialectData.requireBounded(directory.settings)
        user.role = try reader.text("role")
        user.isAnonymous = try reader.flag("is_anonymous") ?? false
        user.bannedUntil = try reader.time("banned_until")
        user.deletionDueAt = try reader.time("deletion_due_at")
        user.invitedAt = try reader.time("invited_at")
        user.lastSignInAt = try reader.time("last_sign_in_at")
        user.language = try reader.text("language").map { tag in
            guard let language = MessageLanguage(tag: tag) else {
                throw AuthError(
                    .invalidRequest, reason: "not a language that messages are written in", field: "language")
            }
            return language
        }
        user.updatedAt = try reader.time("updated_at") ?? createdAt
        user.origin =
            try reader.text("origin").map { text in
                guard let origin = User.Origin(rawValue: text) else {
                    throw AuthError(.invalidRequest, reason: "not an origin", field: "origin")
                }
                return origin
            } ?? .transfer
        guard user.email != nil || user.emailVerifiedAt == nil, user.phone != nil || user.phoneVerifiedAt == nil else {
            throw AuthError(.invalidRequest, reason: "what is not there is not verified", field: "email_verified_at")
        }
        self.user = user
        groups = try (reader.texts("groups") ?? []).map(GroupAdministration.composed)
        guard groups.allSatisfy(GroupAdministration.isName) else {
            throw AuthError(.invalidRequest, reason: "not the name of a group", field: "groups")
        }
        identities = []
        if let profile = try reader.object("profile") {
            self.profile = try Self.profile(Members(profile), of: user, at: now)
        }
        identities = try Self.identities(reader, of: user, providerNames, random)
        factors = try Self.factors(try reader.array("factors") ?? [], of: user, random)
        for identity in identities { try directory.settings.requireBounded(identity.data, "identities") }
    }

    /// Those of the line: what is not in it follows from the user (``LocalIdentities``).
    private static func identities(
        _ reader: Members, of user: User, _ providerNames: [String: String], _ random: any RandomSource
    ) throws -> [Identity] {
        guard let elements = try reader.array("identities") else { return [] }
        return try elements.map { element in
            guard let members = element.objectValue.map(Members.init), let provider = try members.text("provider"),
                let subject = try members.text("subject"), (1...64).contains(provider.utf8.count),
                (1...512).contains(subject.utf8.count)
            else { throw AuthError(.invalidRequest, reason: "provider and subject are needed", field: "identities") }
            let createdAt = try members.time("created_at") ?? user.createdAt
            // What a local one is known by is the user's identifier here, whatever it was there.
            let own = LocalIdentities.isLocal(provider) ? user.id.rawValue : nil
            let name = providerNames[provider] ?? provider
            var data = try members.object("data") ?? [:]
            // Of who has one issuer others write down other places of theirs: their first word says it, as we write it.
            if [IdentityProvider.Kind.google, .apple, .github, .facebook].contains(where: { $0.rawValue == name }) {
                data["iss"] = nil
            }
            return Identity(
                id: random.identifier(), directoryID: user.directoryID, userID: user.id, provider: name,
                subject: own ?? subject, data: data,
                lastSignInAt: try members.time("last_sign_in_at"), createdAt: createdAt, updatedAt: createdAt)
        }
    }

    private static func profile(_ members: Members, of user: User, at now: Instant) throws -> Profile {
        func change(_ name: String) throws -> FieldChange<String> {
            try members.text(name).map { .set($0) } ?? .keep
        }
        let changes = try ProfileChanges(
            name: try change("name"), picture: try change("picture"), locale: try change("locale"))
        var profile = Profile(userID: user.id, directoryID: user.directoryID, updatedAt: now)
        changes.name.applied(to: &profile.name)
        changes.picture.applied(to: &profile.picture)
        changes.locale.applied(to: &profile.locale)
        return profile
    }
}

/// Members of an object by type; a null counts as missing.
private struct Members {
    let json: JSONObject

    init(_ json: JSONObject) {
        self.json = json
    }

    func text(_ name: String) throws -> String? { try read(name, "a string", \.stringValue) }
    func flag(_ name: String) throws -> Bool? { try read(name, "true or false", \.boolValue) }
    func object(_ name: String) throws -> JSONObject? { try read(name, "an object", \.objectValue) }
    func array(_ name: String) throws -> [JSONValue]? { try read(name, "an array", \.arrayValue) }

    func time(_ name: String) throws -> Instant? {
        guard let text = try text(name) else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw AuthError(.invalidRequest, reason: "an RFC 3339 time is needed", field: name)
        }
        return instant
    }

    func texts(_ name: String) throws -> [String]? {
        guard let elements = try array(name) else { return nil }
        let texts = elements.compactMap(\.stringValue)
        guard texts.count == elements.count else {
            throw AuthError(.invalidRequest, reason: "strings are needed", field: name)
        }
        return texts
    }

    private func read<Value>(_ name: String, _ kind: String, _ get: (JSONValue) -> Value?) throws -> Value? {
        guard let value = json[name], !value.isNull else { return nil }
        guard let read = get(value) else {
            throw AuthError(.invalidRequest, reason: "\(kind) is needed", field: name)
        }
        return read
    }
}
