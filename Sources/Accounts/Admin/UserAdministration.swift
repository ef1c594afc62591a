// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What an operator's programs do with users. Every call needs an administrator as its actor, and is audited.
public struct UserAdministration: Sendable {
    let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Makes a user, by an address, a number or a name. Without a password they sign in by links and codes only.
    ///
    /// - Throws: `AuthErrorCode.emailExists`, `.phoneExists`, `.usernameExists`, `.conflict` for a taken identifier,
    ///   `.weakPassword`, `.invalidRequest` naming the field, `.forbidden`, `.overloaded`.
    public func create(_ attributes: UserAttributes, call: CallContext) async throws -> UserRecord {
        try call.requireAdministrator()
        try attributes.check()
        guard attributes.email != nil || attributes.phone != nil || attributes.username != nil else {
            throw AuthError(.invalidRequest, reason: "an address or a number is needed", field: "email")
        }
        let id = attributes.id ?? ports.random.identifier()
        let password = try await password(attributes, of: id, call)
        let ports = ports
        return try await ports.store.administer { tx in
            if let id = attributes.id, try tx.user(id, in: call.directory.id) != nil {
                throw AuthError(taken: .duplicate("user.id"))
            }
            try Self.requireFree(attributes.email, attributes.phone, attributes.username, for: nil, call, tx)
            var user = User(id: id, directoryID: call.directory.id, createdAt: call.now)
            user.email = attributes.email
            user.phone = attributes.phone
            user.username = attributes.username
            user.origin = .administrator
            try ForeignHashes.admit(attributes.passwordHash, in: call.directory.id, tx)
            try password?.set(on: &user, call, ports.random)
            attributes.applyTemporary(to: &user, call.settings.password, at: call.now)
            user.name(providers: LocalIdentities.providers(of: user))
            attributes.applyConfirmations(to: &user, at: call.now)
            try attributes.applyDetails(to: &user, call: call)
            try tx.insert(user)
            let identities = try LocalIdentities(random: ports.random, now: call.now).insert(for: user, in: tx)
            try tx.append(event(.signedUp, user, ["by": "administrator"], call))
            return UserRecord(user: user, identities: identities)
        }
    }

    /// Changes a user.
    ///
    /// A new password or a ban ends every session and every outstanding link and code; a new address ends the links
    /// and codes. A changed address stays confirmed where the old one was, since the administrator vouches for it.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, and as ``create(_:call:)``.
    public func update(_ id: UserID, _ attributes: UserAttributes, call: CallContext) async throws -> UserRecord {
        try call.requireAdministrator()
        try attributes.check()
        let password = try await password(attributes, of: id, call)
        let ports = ports
        return try await ports.store.administer { tx in
            var user = try Self.usable(id, call, tx)
            let before = user
            try Self.requireFree(attributes.email, attributes.phone, attributes.username, for: id, call, tx)
            if password == nil, attributes.confirms(user) { try settle(&user, call, tx) }
            if let email = attributes.email, email != user.email {
                user.email = email
                user.pendingEmail = nil
                user.pendingEmailHalfConfirmed = false
            }
            if let phone = attributes.phone, phone != user.phone {
                user.phone = phone
                user.pendingPhone = nil
            }
            if let username = attributes.username { user.username = username }
            try ForeignHashes.admit(attributes.passwordHash, in: call.directory.id, tx)
            try password?.set(on: &user, call, ports.random)
            attributes.applyTemporary(to: &user, call.settings.password, at: call.now)
            attributes.applyConfirmations(to: &user, at: call.now)
            if user.isProved { user.isAnonymous = false }
            user.adopt()
            // Before the metadata, so that what the administrator says of the providers stands.
            let identities = try LocalIdentities(random: ports.random, now: call.now).align(&user, in: tx)
            try attributes.applyDetails(to: &user, call: call)
            user.updatedAt = call.now
            try end(before, &user, changedPassword: password != nil, call, tx)
            let written = try tx.update(user)
            try OwnerNotice(ports).tell(
                before, became: written, passwordChanged: password != nil, call: call, in: tx)
            try audit(before, written, changedPassword: password != nil, attributes, call, tx)
            return UserRecord(user: written, identities: identities)
        }
    }

    /// One user; also a soft-deleted one.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`.
    public func get(_ id: UserID, call: CallContext) async throws -> UserRecord {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            guard let user = try tx.user(id, in: call.directory.id) else { throw AuthError(.userNotFound) }
            return UserRecord(user: user, identities: try tx.identities(of: id, in: call.directory.id))
        }
    }

    /// A page of users, newest first, without the soft-deleted.
    ///
    /// - Parameters:
    ///   - page: from 1.
    ///   - perPage: 1 to 1,000.
    ///   - search: a prefix of the address or of the identifier.
    /// - Returns: the users, and how many there are in all; with `search`, how many are known so far: one more than
    ///   shown where another page follows.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field.
    public func list(
        page: Int = 1, perPage: Int = 50, search: String? = nil, call: CallContext
    ) async throws -> (records: [UserRecord], total: Int) {
        try call.requireAdministrator()
        guard (1...10_000_000).contains(page) else { throw AuthError(.invalidRequest, field: "page") }
        guard (1...1000).contains(perPage) else { throw AuthError(.invalidRequest, field: "per_page") }
        let search = search.flatMap { $0.isEmpty ? nil : $0 }
        let offset = (page - 1) * perPage
        return try await ports.store.read { tx in
            let found = try tx.users(in: call.directory.id, search: search, offset: offset, limit: perPage + 1)
            let records = try found.prefix(perPage).map {
                UserRecord(user: $0, identities: try tx.identities(of: $0.id, in: call.directory.id))
            }
            let total = search == nil ? try tx.userCount(in: call.directory.id) : offset + found.count
            return (records, total)
        }
    }

    /// Deletes a user. A soft deletion keeps an empty row until the purge; a hard one keeps nothing but audit events.
    /// Either way every session, link and code ends, and the address is free.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`.
    public func delete(_ id: UserID, soft: Bool, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.store.administer { tx in
            guard let user = try tx.user(id, in: call.directory.id) else { throw AuthError(.userNotFound) }
            if soft {
                guard user.deletedAt == nil else { return }
                try AccountEnding(now: call.now).softDelete(user, in: tx)
            } else {
                _ = try tx.deleteUser(id, in: call.directory.id)
            }
            try tx.append(event(.userDeleted, user, ["soft": .bool(soft)], call))
        }
    }
}

extension UserAdministration {
    /// A password as the administrator gave it, or the hash of one.
    enum GivenPassword: Sendable {
        case new(NewPassword)
        case hash(PasswordHash)

        func set(on user: inout User, _ call: CallContext, _ random: any RandomSource) throws {
            switch self {
            case .new(let password): try password.set(on: &user, call: call, random: random)
            case .hash(let hash): user.passwordHash = hash
            }
        }
    }

    func password(_ attributes: UserAttributes, of user: UserID, _ call: CallContext) async throws -> GivenPassword? {
        guard let password = attributes.password else { return attributes.passwordHash.map(GivenPassword.hash) }
        // An administrator is held to the Directory's policy too.
        try call.requireAcceptable(password, email: attributes.email)
        return .new(try await NewPassword(password, for: user, call: call, ports: ports))
    }

    func newPassword(
        _ password: Secret<String>, email: EmailAddress?, _ call: CallContext
    ) async throws -> NewPassword {
        try call.requireAcceptable(password, email: email)
        return try await NewPassword(password, for: nil, call: call, ports: ports)
    }

    func event(
        _ action: AuditEvent.Action, _ user: User, _ details: JSONObject, _ call: CallContext
    ) -> AuditEvent {
        AuditEvent(action, user: user.id, email: user.email, details: details, call: call, random: ports.random)
    }

    static func usable(_ id: UserID, _ call: CallContext, _ tx: any UserReading) throws -> User {
        guard let user = try tx.user(id, in: call.directory.id), user.deletedAt == nil else {
            throw AuthError(.userNotFound)
        }
        return user
    }

    static func requireFree(
        _ email: EmailAddress?, _ phone: PhoneNumber?, _ username: Username?, for user: UserID?, _ call: CallContext,
        _ tx: any UserReading
    ) throws {
        if let username, let owner = try tx.user(username: username, in: call.directory.id), owner.id != user {
            throw AuthError(taken: .duplicate("user.username"))
        }
        if let email, let owner = try tx.user(email: email, in: call.directory.id), owner.id != user {
            throw AuthError(taken: .duplicate("user.email"))
        }
        if let phone, let owner = try tx.user(phone: phone, in: call.directory.id), owner.id != user {
            throw AuthError(taken: .duplicate("user.phone"))
        }
    }

    /// Who confirms an account in the place of its owner confirms the sign-up that it came from, where there is only
    /// one; of several, nobody's password is anybody's, and the owner sets one by a recovery.
    private func settle(_ user: inout User, _ call: CallContext, _ tx: any StoreWriting) throws {
        let signUp = try SignUpAttempts(of: user.id, call: call, in: tx).only
        if user.passwordHash == nil { try signUp?.settle(on: &user, at: call.now, in: tx) }
        try tx.deleteSignUpAttempts(of: user.id, in: user.directoryID)
    }

    /// Ends what the change must end.
    private func end(
        _ before: User, _ user: inout User, changedPassword: Bool, _ call: CallContext, _ tx: any StoreWriting
    ) throws {
        let ending = AccountEnding(now: call.now)
        let isBanned = user.isBanned(at: call.now) && user.bannedUntil != before.bannedUntil
        if isBanned || changedPassword || user.email != before.email { user.revokeTokens(at: call.now) }
        if isBanned {
            try ending.endAll(of: user, because: .banned, in: tx)
        } else if changedPassword {
            try ending.endAll(of: user, because: .passwordChanged, in: tx)
        } else if user.email != before.email || user.phone != before.phone {
            try ending.endProofs(of: user, in: tx)
        }
    }

    private func audit(
        _ before: User, _ user: User, changedPassword: Bool, _ attributes: UserAttributes, _ call: CallContext,
        _ tx: any StoreWriting
    ) throws {
        var fields: [JSONValue] = []
        if user.email != before.email { fields.append("email") }
        if user.phone != before.phone { fields.append("phone") }
        if user.username != before.username { fields.append("username") }
        if changedPassword { fields.append("password") }
        if attributes.userMetadata != nil { fields.append("user_metadata") }
        if attributes.appMetadata != nil { fields.append("app_metadata") }
        if user.dialectData != before.dialectData { fields.append("attributes") }
        if user.role != before.role { fields.append("role") }
        if user.emailVerifiedAt != before.emailVerifiedAt { fields.append("email_confirm") }
        if user.phoneVerifiedAt != before.phoneVerifiedAt { fields.append("phone_confirm") }
        try tx.append(event(.userModified, user, ["fields": .array(fields)], call))
        guard user.bannedUntil != before.bannedUntil else { return }
        try tx.append(event(user.isBanned(at: call.now) ? .userBanned : .userUnbanned, user, [:], call))
    }
}
