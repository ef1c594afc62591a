// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The one place where a signed-in user is given something else to be known by: an address, a number, or whatever an
/// issuer knows them by. Its rule is asked of every way to link (ADR 0028).
struct AccountLinking {
    /// What is linked: each was proved in the call that links it.
    enum Link: Sendable {
        case email(EmailAddress)
        case phone(PhoneNumber)
    }

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// Whether this user may be given something else to be known by. Not in an account whose own address nobody has
    /// proved: whoever opened it in another's name could come back by what they linked, once its owner has it.
    ///
    /// - Throws: ``AuthErrorCode/emailNotVerified``, ``AuthErrorCode/phoneNotVerified``, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/userNotFound``.
    func require(_ user: User) throws(AuthError) {
        try step.call.requireUsable(user)
        guard !user.isUnverified else {
            throw AuthError(user.email == nil && user.phone != nil ? .phoneNotVerified : .emailNotVerified)
        }
    }

    /// Puts what was proved on the user in place of the account that was opened only to prove it, which goes.
    ///
    /// - Throws: as ``require(_:)``; ``AuthErrorCode/emailExists``, ``AuthErrorCode/phoneExists`` where the holder is
    ///   more than that.
    func take(_ link: Link, from holder: User, over user: User) throws -> User {
        try require(user)
        guard try isOpenedForProof(holder, by: link) else { throw Self.taken(link) }
        _ = try step.tx.deleteUser(holder.id, in: step.directory)
        var linked = user
        switch link {
        case .email(let email): (linked.email, linked.emailVerifiedAt) = (email, step.now)
        case .phone(let phone): (linked.phone, linked.phoneVerifiedAt) = (phone, step.now)
        }
        linked.isAnonymous = false
        linked.dropPendingChanges()
        linked.updatedAt = step.now
        try AddressClaims(step).requireUnique(linked)
        try AccountEnding(step).endProofs(of: user)
        try LocalIdentities(step).align(&linked)
        switch link {
        case .email: try step.record(.emailChanged, linked)
        case .phone: try step.record(.phoneChanged, linked)
        }
        step.followConfirmation(of: linked, from: user)
        try OwnerNotice(step).tell(user, became: linked)
        return try step.tx.update(linked)
    }

    /// Whether an account is nothing but what a message was sent to: nobody has proved or used it, and whoever chose a
    /// name or a password for it wants more.
    func isOpenedForProof(_ holder: User, by link: Link) throws -> Bool {
        let isIt =
            switch link {
            case .email(let email): holder.email == email && !holder.sharesEmail && holder.phone == nil
            case .phone(let phone): holder.phone == phone && !holder.sharesPhone && holder.email == nil
            }
        guard isIt, !holder.isProved, holder.passwordHash == nil, holder.origin == .signUp, holder.confirmedAt == nil,
            holder.lastSignInAt == nil, !holder.isAnonymous, !holder.isBanned(at: step.now), holder.username == nil
        else { return false }
        // Nor does an issuer know anybody by it, who has not signed in yet; nor has an operator given it anything.
        return try !holder.isClaimed(step.tx)
    }

    /// Gives whoever has proved the one of an address and a number of which somebody else has proved the other an
    /// account of their own: neither says whose the other is, and what is written in the account is that of whom it was
    /// proved to be.
    ///
    /// - Parameter recipient: what is now proved, as the account names it.
    /// - Returns: the new account, as stored: nothing of it is proved yet; and whether a program of the operator's
    ///   wants its holder disabled.
    /// - Throws: ``AuthErrorCode/signUpDisabled`` where nobody may open one.
    func part(_ recipient: String, from holder: User) throws -> (user: User, isDisabled: Bool) {
        guard step.settings.signUp.enabled else { throw AuthError(.signUpDisabled) }
        let opened: Recipient
        if let email = holder.email, email.rawValue == recipient {
            opened = .email(email)
            try strip(AccountPart.email, from: holder)
        } else if let phone = holder.phone, phone.e164 == recipient {
            opened = .phone(phone)
            try strip(AccountPart.phone, from: holder)
        } else {
            throw AuthError(.oneTimeTokenInvalid)
        }
        return try PasswordlessAccount(recipient: opened, userMetadata: [:]).open(isReal: true, step)
    }

    /// Frees an address or number that the user has proved to be theirs, of an account that names it and that nobody
    /// has proved: what anybody could open does not block the owner (ADR 0028). What was opened for a message alone
    /// goes; another account is left to whoever opened it, without what was never theirs.
    func free(_ link: Link, for user: User) throws {
        let claims = AddressClaims(step)
        let (holder, part): (User?, AccountPart) =
            switch link {
            case .email(let email): (try claims.owner(of: email, against: user), .email)
            case .phone(let phone): (try claims.owner(of: phone, against: user), .phone)
            }
        guard let holder, try !holder.isOwned(part, step.tx) else { return }
        guard try !isOpenedForProof(holder, by: link) else {
            _ = try step.tx.deleteUser(holder.id, in: step.directory)
            return
        }
        try strip(part, from: holder)
    }

    /// Takes an address or a number from an account whose user never proved it, since somebody else has.
    func strip(_ link: Link, from holder: User) throws {
        switch link {
        case .email: try strip(AccountPart.email, from: holder)
        case .phone: try strip(AccountPart.phone, from: holder)
        }
    }

    private func strip(_ part: AccountPart, from holder: User) throws {
        var left = holder
        try PartRemoval(step, by: .administrator).apply([part], to: &left)
        left.updatedAt = step.now
        try step.record(part == .email ? .emailChanged : .phoneChanged, left, details: ["by": "owner"])
        try step.tx.update(left)
    }

    private static func taken(_ link: Link) -> AuthError {
        switch link {
        case .email: AuthError(.emailExists, field: "email")
        case .phone: AuthError(.phoneExists, field: "phone")
        }
    }
}
