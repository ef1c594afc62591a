// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What an operator's programs do with users. Every call needs an administrator as its actor, and is audited.
public struct UserAdministration: Sendable {
    let ports: AccountPorts
    let starts: PageStarts

    public init(_ ports: AccountPorts) {
        self.init(ports, starts: PageStarts())
    }

    /// - Parameter starts: shared by all calls of a program.
    init(_ ports: AccountPorts, starts: PageStarts) {
        self.ports = ports
        self.starts = starts
    }

    /// Makes a user, by an address, a number or a name. Without a password they sign in by links and codes only.
    ///
    /// - Throws: `AuthErrorCode.emailExists`, `.phoneExists`, `.usernameExists`, `.conflict` for a taken identifier,
    ///   `.weakPassword`, `.invalidRequest` naming the field, `.forbidden`, `.overloaded`.
    public func create(
        _ attributes: UserAttributes, asksPrograms: Bool = false, call: CallContext
    ) async throws -> UserRecord {
        try call.requireAdministrator()
        try attributes.check()
        guard attributes.email != nil || attributes.phone != nil || attributes.username != nil else {
            throw AuthError(.invalidRequest, reason: "an address or a number is needed", field: "email")
        }
        let id = attributes.id ?? ports.random.identifier()
        let identifiers = try attributes.externalIdentifiers(call, random: ports.random).without(id)
        let password = try await password(attributes, of: id, call)
        return try await ports.write(call) { step in
            if let id = attributes.id, try step.tx.owner(of: id.rawValue, in: step.directory) != nil {
                throw AuthError(taken: .duplicate("user.id"))
            }
            guard try step.tx.owner(ofAny: identifiers, in: step.directory) == nil else {
                throw AuthError(taken: .duplicate("user.external_identifiers"))
            }
            try Self.requireFree(
                attributes.sharesEmail ? nil : attributes.email, attributes.sharesPhone ? nil : attributes.phone,
                attributes.username, for: nil, step)
            var user = User(
                id: id, directoryID: call.directory.id, externalIdentifiers: identifiers, createdAt: call.now)
            user.email = attributes.email
            user.phone = attributes.phone
            (user.sharesEmail, user.sharesPhone) = (attributes.sharesEmail, attributes.sharesPhone)
            user.username = attributes.username
            user.origin = .administrator
            try ForeignHashes.admit(attributes.passwordHash, in: step.directory, step.tx)
            try password?.give(to: &user, step)
            attributes.applyTemporary(to: &user, call.settings.password, at: call.now)
            user.name(providers: LocalIdentities.providers(of: user))
            attributes.applyConfirmations(to: &user, at: call.now)
            try attributes.applyDetails(to: &user, call: call)
            try AddressClaims(step).requireUnique(user)
            if asksPrograms {
                let provider = user.email == nil ? LocalIdentities.phone : LocalIdentities.email
                try step.requireAdmission(of: user, by: provider, isInvited: true)
            }
            try step.tx.insert(user)
            let identities = try LocalIdentities(step).insert(for: user)
            try step.record(.signedUp, user, details: ["by": "administrator"])
            if let factors = attributes.factors { user = try FactorReplacement(step).put(factors, of: user) }
            return UserRecord(user: user, identities: identities)
        }
    }

    /// Changes a user.
    ///
    /// A new password or a ban ends every session and every outstanding link and code; a new address ends the links
    /// and codes. A changed address stays confirmed where the old one was, since the administrator vouches for it.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, `.identityAlreadyLinked`, and as ``create(_:call:)``.
    public func update(_ id: UserID, _ attributes: UserAttributes, call: CallContext) async throws -> UserRecord {
        try call.requireAdministrator()
        try attributes.check()
        let password = try await password(attributes, of: id, call)
        return try await ports.write(call) { step in
            var user = try step.tx.liveUser(id, in: step.directory)
            let before = user
            try Self.requireFree(
                user.sharesEmail ? nil : attributes.email, user.sharesPhone ? nil : attributes.phone,
                attributes.username, for: id, step)
            try ForeignHashes.admit(attributes.passwordHash, in: step.directory, step.tx)
            if let since = attributes.tokensValidSince { try Self.revoke(&user, issuedBefore: since, step) }
            if let password {
                try PasswordReplacement(step, by: .administrator).apply(password, to: &user)
            } else if attributes.confirms(user) {
                try Self.settle(&user, step)
            }
            try PartRemoval(step, by: .administrator)
                .apply(attributes.removes, to: &user, keepsName: attributes.keepsName)
            try Self.give(attributes.identities, to: &user, step)
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
            attributes.applyTemporary(to: &user, call.settings.password, at: call.now)
            attributes.applyConfirmations(to: &user, at: call.now)
            if user.emailVerifiedAt != before.emailVerifiedAt || user.phoneVerifiedAt != before.phoneVerifiedAt
                || user.email != before.email || user.phone != before.phone
            {
                try AddressClaims(step).requireUnique(user)
            }
            if user.isProved { user.isAnonymous = false }
            if try Self.isAnswered(user, givenPassword: password != nil, step) { user.adopt() }
            // Before the metadata, so that what the administrator says of the providers stands.
            let identities = try LocalIdentities(step).align(&user)
            try attributes.applyDetails(to: &user, call: call)
            user.updatedAt = call.now
            try Self.end(before, &user, step)
            var written = try step.tx.update(user)
            if let factors = attributes.factors { written = try FactorReplacement(step).put(factors, of: written) }
            step.followConfirmation(of: written, from: before)
            try OwnerNotice(step).tell(before, became: written)
            try Self.record(before, written, changedPassword: password != nil, attributes, step)
            return UserRecord(user: written, identities: identities)
        }
    }

    /// Our own identifier of the user who has this one, ours or brought along; also of a soft-deleted one.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func identifier(of text: String, call: CallContext) async throws -> UserID {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            guard let user = try tx.user(called: UserID(text), in: call.directory.id) else {
                throw AuthError(.userNotFound)
            }
            return user.id
        }
    }

    /// One user; also a soft-deleted one.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`.
    public func get(_ id: UserID, call: CallContext) async throws -> UserRecord {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            guard let user = try tx.user(id, in: call.directory.id) else { throw AuthError(.userNotFound) }
            return try UserRecord(user, tx)
        }
    }

    /// The most entries that one numbered page has: it is put together in memory.
    public static let maximumPage = 10_000

    /// A page of users, newest first unless told otherwise, without the soft-deleted.
    ///
    /// - Parameters:
    ///   - page: from 1.
    ///   - perPage: 1 to ``maximumPage``.
    ///   - search: a prefix of the address or of the identifier.
    ///   - part: of what the user is known by, in place of a search.
    /// - Returns: the users, and how many there are in all; with a search or a part, how many are known so far: one
    ///   more than shown where another page follows.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field.
    public func list(
        page: Int = 1, perPage: Int = 50, search: String? = nil, holding part: UserPart? = nil,
        oldestFirst: Bool = false, call: CallContext
    ) async throws -> (records: [UserRecord], total: Int) {
        try call.requireAdministrator()
        guard (1...10_000_000).contains(page) else { throw AuthError(.invalidRequest, field: "page") }
        guard (1...Self.maximumPage).contains(perPage) else { throw AuthError(.invalidRequest, field: "per_page") }
        let offset = (page - 1) * perPage
        if let part {
            return try await list(holding: part, oldestFirst: oldestFirst, offset: offset, limit: perPage, call: call)
        }
        guard let search, !search.isEmpty else {
            return try await numbered(from: offset, limit: perPage, oldestFirst: oldestFirst, call: call)
        }
        return try await ports.store.scan(in: call.directory.id) { tx in
            let found = try tx.users(
                in: call.directory.id, search: search, oldestFirst: oldestFirst, offset: offset, limit: perPage + 1)
            let records = try UserRecord.all(Array(found.prefix(perPage)), in: call.directory.id, tx)
            return (records, offset + found.count)
        }
    }

    /// Deletes a user. A soft deletion keeps an empty row until the purge; a hard one keeps nothing but audit events.
    /// Either way every session, link and code ends, and the address is free.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`.
    public func delete(_ id: UserID, soft: Bool, call: CallContext) async throws {
        try call.requireAdministrator()
        let isErased = try await ports.write(call) { step in
            guard let user = try step.tx.user(id, in: step.directory) else { throw AuthError(.userNotFound) }
            guard !soft || user.deletedAt == nil else { return true }
            let isErased = try soft ? AccountEnding(step).softDelete(user) : AccountEnding(step).delete(user)
            try step.recordEnd(of: user, isOwnWish: false, details: ["soft": .bool(soft)])
            return isErased
        }
        if !isErased { try await EraseAccount(ports)(id, in: call.directory.id) }
    }
}

extension UserAdministration {
    /// A password as the administrator gave it, or the hash of one.
    func password(
        _ attributes: UserAttributes, of user: UserID, _ call: CallContext
    ) async throws -> PasswordReplacement.Password? {
        guard let password = attributes.password else { return attributes.passwordHash.map { .hash($0) } }
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

    static func requireFree(
        _ email: EmailAddress?, _ phone: PhoneNumber?, _ username: Username?, for user: UserID?, _ step: FlowStep
    ) throws {
        let (tx, directory) = (step.tx, step.directory)
        if let username, let owner = try tx.owner(of: username, in: directory), owner.id != user {
            throw AuthError(taken: .duplicate("user.username"))
        }
        if let email, let owner = try tx.user(email: email, in: directory), owner.id != user {
            throw AuthError(taken: .duplicate("user.email"))
        }
        if let phone, let owner = try tx.user(phone: phone, in: directory), owner.id != user {
            throw AuthError(taken: .duplicate("user.phone"))
        }
    }

    /// Who confirms an account in the place of its owner confirms the sign-up that it came from, where there is only
    /// one; of several, nobody's password is anybody's, and the owner sets one by a recovery.
    private static func settle(_ user: inout User, _ step: FlowStep) throws {
        let signUp = try SignUpAttempts(of: user.id, call: step.call, in: step.tx).only
        if user.passwordHash == nil {
            try signUp?.settle(on: &user, proving: user.isCalledByPhone ? .phone : .email, step)
        }
        try step.tx.deleteSignUpAttempts(of: user.id, in: user.directoryID)
    }

    /// Whether there is no way into the account but the password that an administrator has just given it, or none at
    /// all yet. What they write of another says nothing of who opened it: see ``User/Origin/administrator``.
    private static func isAnswered(_ user: User, givenPassword: Bool, _ step: FlowStep) throws -> Bool {
        guard givenPassword || user.passwordHash == nil && user.lastSignInAt == nil else { return false }
        guard try step.tx.identities(of: user.id, in: user.directoryID).allSatisfy(LocalIdentities.isLocal) else {
            return false
        }
        return try step.tx.factors(of: user.id, in: user.directoryID).isEmpty
    }

    /// Sessions are compared by whole seconds, as tokens are, and the benefit of a doubt is not theirs.
    private static func revoke(_ user: inout User, issuedBefore since: Instant, _ step: FlowStep) throws {
        guard !since.liesAhead(of: step.now) else {
            throw AuthError(.invalidRequest, reason: "lies ahead", field: "tokens_valid_since")
        }
        user.tokensValidSince = Instant(seconds: since.seconds)
        var count: Int64 = 0
        for session in try step.tx.sessions(of: user.id, in: user.directoryID)
        where session.createdAt.seconds <= since.seconds {
            if try SessionEnding(step).end(session.id, because: .administrator) { count += 1 }
        }
        try step.record(.sessionRevoked, user, details: ["sessions": .integer(count)])
    }

    /// Ends what the change must end, beside what a new password has ended.
    static func end(_ before: User, _ user: inout User, _ step: FlowStep) throws {
        let ending = AccountEnding(step)
        let isBanned = user.isBanned(at: step.now) && user.bannedUntil != before.bannedUntil
        if isBanned || user.email != before.email { user.revokeTokens(at: step.now) }
        if isBanned {
            try ending.endAll(of: user, because: .banned)
        } else if user.email != before.email || user.phone != before.phone {
            try ending.endProofs(of: user)
        }
    }

    private static func record(
        _ before: User, _ user: User, changedPassword: Bool, _ attributes: UserAttributes, _ step: FlowStep
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
        try step.record(.userModified, user, details: ["fields": .array(fields)])
        guard user.bannedUntil != before.bannedUntil else { return }
        try step.record(user.isBanned(at: step.now) ? .userBanned : .userUnbanned, user)
    }
}
