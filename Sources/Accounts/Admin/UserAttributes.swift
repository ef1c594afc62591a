// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// What an administrator writes of a user. What is `nil` stays as it is.
public struct UserAttributes: Sendable {
    public enum BanChange: Sendable, Equatable {
        case lift
        /// From now on; nothing or less lifts the ban.
        case `for`(TimeSpan)
        /// Until it is lifted.
        case indefinitely
    }

    /// For a new user only: a UUID brought along from elsewhere.
    public var id: UserID?
    /// For a new user only: what the call's dialect calls them from now on, in place of our own identifier.
    public var externalIdentifier: ExternalIdentifier?
    public var email: EmailAddress?
    public var phone: PhoneNumber?
    public var username: Username?
    /// For a new user only, who is called otherwise: the address may be others' too (``User/sharesEmail``).
    public var sharesEmail = false
    /// The same of the number.
    public var sharesPhone = false
    public var password: Secret<String>?
    /// A hash made elsewhere, in place of a password.
    public var passwordHash: PasswordHash?
    /// `true` for a password that the user must replace when they first sign in by it, for which they have the
    /// Directory's ``DirectorySettings/Password/temporaryLifetimeDays``; `false` lifts that from the one there is.
    public var passwordIsTemporary: Bool?
    /// What is taken from the account, before anything is given.
    public var removes: Set<AccountPart> = []
    /// Of a user who is there: identities of other providers that the operator knows to be theirs. Each takes the place
    /// of another of its provider.
    public var identities: [GivenIdentity] = []
    /// The user's second factors from now on; `nil` leaves them. See ``FactorReplacement``.
    public var factors: [GivenFactor]?
    /// Whether an address or number that the user is called by stays, whatever ``removes`` says.
    public var keepsName = false
    /// From when on the user's tokens are to be good, in whole seconds: sessions that began before end. May be earlier
    /// than what there is; a change of password or address in the same call takes back what was issued until now.
    public var tokensValidSince: Instant?
    /// `true` vouches for the address, `false` takes its confirmation back.
    public var emailConfirm: Bool?
    public var phoneConfirm: Bool?
    /// Confirms the account, and vouches for none of its addresses: see ``User/confirmedAt``.
    public var accountConfirm = false
    /// Laid over what there is; a null removes a member.
    public var userMetadata: JSONObject?
    public var appMetadata: JSONObject?
    /// The same for what the call's dialect keeps of the user, in the half that users may write.
    public var attributes: JSONObject?
    /// The same in the half that only operators write.
    public var operatorAttributes: JSONObject?
    /// Empty for the dialect's default.
    public var role: String?
    public var ban: BanChange?

    public init() {}
}

extension UserAttributes {
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field.
    func check() throws(AuthError) {
        guard password == nil || passwordHash == nil else {
            throw AuthError(.invalidRequest, reason: "a password or a hash, not both", field: "password_hash")
        }
        if let role, role.utf8.count > 255 || !role.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            throw AuthError(.invalidRequest, reason: "not a role", field: "role")
        }
        if let id, !UUIDText.isIdentifier(id.rawValue) {
            throw AuthError(.invalidRequest, reason: "not a lower-case UUID", field: "id")
        }
    }

    /// What the call's dialect is to call a new user: what was given, and where nothing was, what it draws.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` for a caller that calls nobody anything.
    func externalIdentifiers(
        _ call: CallContext, random: any RandomSource
    ) throws(AuthError) -> ExternalIdentifiers {
        guard let externalIdentifier else {
            return id == nil ? try call.newIdentifiers(by: random) : ExternalIdentifiers()
        }
        guard let dialect = call.dialect else {
            throw AuthError(.invalidRequest, reason: "of no dialect", field: "external_identifiers")
        }
        return ExternalIdentifiers(externalIdentifier, in: dialect)
    }

    /// Writes whether the account and its addresses are confirmed.
    func applyConfirmations(to user: inout User, at now: Instant) {
        if accountConfirm, !user.isConfirmed { user.confirmedAt = now }
        if let emailConfirm, user.email != nil {
            user.emailVerifiedAt = emailConfirm ? user.emailVerifiedAt ?? now : nil
        }
        if let phoneConfirm, user.phone != nil {
            user.phoneVerifiedAt = phoneConfirm ? user.phoneVerifiedAt ?? now : nil
        }
    }

    /// Whether this vouches for an account of which nobody has proved anything.
    func confirms(_ user: User) -> Bool {
        !user.isProved
            && (accountConfirm || emailConfirm == true && user.email != nil && email ?? user.email == user.email
                || phoneConfirm == true && user.phone != nil && phone ?? user.phone == user.phone)
    }

    /// Writes metadata, attributes, role and ban.
    func applyDetails(to user: inout User, call: CallContext) throws(AuthError) {
        try user.write(metadata: userMetadata, attributes: attributes, call: call)
        try user.operate(metadata: appMetadata, attributes: operatorAttributes, call: call)
        if let role { user.role = role.isEmpty ? nil : role }
        switch ban {
        case nil: break
        case .lift: user.bannedUntil = nil
        case .for(let span): user.bannedUntil = span > .zero ? call.now + span : nil
        case .indefinitely: user.bannedUntil = User.forever
        }
    }

    /// Writes whether the password there now is a temporary one. After the password itself, which clears the mark.
    func applyTemporary(to user: inout User, _ settings: DirectorySettings.Password, at now: Instant) {
        guard let passwordIsTemporary else { return }
        let days = settings.temporaryLifetimeDays
        let isTemporary = passwordIsTemporary && user.passwordHash != nil
        user.temporaryPassword =
            isTemporary ? TemporaryPassword(expiresAt: days > 0 ? now + .days(days) : nil) : nil
    }
}
