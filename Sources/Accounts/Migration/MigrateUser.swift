// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Brings somebody along from where they had their account before, once they sign in here or have forgotten their
/// password: whom nobody here is called like, a program of the operator's is asked about, and its answer becomes an
/// account.
///
/// An account that there is, is never asked about or changed. One that was deleted here is there no more: the program
/// must not know its user either.
struct MigrateUser {
    private let ports: AccountPorts

    init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Asks about a sign-in. The program is shown the password, which it alone can judge.
    ///
    /// - Returns: who there is now; `nil` where nobody is asked, and for whom the program does not vouch or who can't
    ///   be here: as a wrong password.
    /// - Throws: ``AuthErrorCode/hookFailed`` where it gives no answer, ``AuthErrorCode/overloaded``.
    func callAsFunction(
        _ identifier: SignInIdentifier, password: Secret<String>, call: CallContext
    ) async throws -> User? {
        let question = HookQuestion(.migration(identifier, password: password), call: call)
        guard let (dialect, migrated) = try Self.vouched(try await ports.hooks.ask(question, random: ports.random))
        else {
            return nil
        }
        let id: UserID = ports.random.identifier()
        let new =
            migrated.keepsPassword ? try await NewPassword(password, for: id, call: call, ports: ports) : nil
        do {
            return try await ports.write(call) { step in
                try Self.open(migrated, of: dialect, as: id, for: identifier, new, step)
            }
        } catch let error as AuthError where Self.taken.contains(error.code) {
            return nil
        }
    }

    /// Whether anybody is asked.
    func isAsked(_ call: CallContext) -> Bool { !ports.hooks.blocking(.migration, call).isEmpty }

    /// The same for who has forgotten a password, in the transaction that would send them something.
    static func forgotten(_ identifier: SignInIdentifier, _ step: FlowStep) throws -> User? {
        guard let run = step.run else { return nil }
        let decision = try step.decision(.migration(identifier, password: nil))
        guard let (dialect, migrated) = try vouched(decision) else { return nil }
        return try open(migrated, of: dialect, as: run.userID, for: identifier, nil, step)
    }

    private static let taken: Set<AuthErrorCode> = [.emailExists, .phoneExists, .usernameExists, .conflict]

    private static func vouched(_ decision: HookDecision) throws(AuthError) -> (DialectName, MigratedUser)? {
        if let refusal = decision.refusal {
            guard refusal.code == .hookRefused else { throw refusal }
            return nil
        }
        return decision.changes.lazy.compactMap { made in made.changes.migrated.map { (made.dialect, $0) } }.first
    }

    /// Whether nobody has what the user is called by, or what one may have at most.
    private static func isFree(_ user: User, _ step: FlowStep) throws -> Bool {
        let (tx, directory) = (step.tx, step.directory)
        if let name = user.username, try tx.owner(of: name, in: directory) != nil { return false }
        if let email = user.email, !user.sharesEmail, try tx.user(email: email, in: directory) != nil { return false }
        if let phone = user.phone, !user.sharesPhone, try tx.user(phone: phone, in: directory) != nil { return false }
        do {
            try AddressClaims(step).requireUnique(user)
            return true
        } catch let error as AuthError where taken.contains(error.code) {
            return false
        }
    }

    /// Makes the account. Its user is who was named, and nobody who came meanwhile is replaced.
    private static func open(
        _ migrated: MigratedUser, of dialect: DialectName, as id: UserID, for identifier: SignInIdentifier,
        _ password: NewPassword?, _ step: FlowStep
    ) throws -> User? {
        if let there = try step.tx.user(known: identifier, in: step.directory) { return there }
        guard migrated.isCalled(identifier) else {
            throw HookFailure.malformed.error("the user is not called as they signed in")
        }
        var user = try step.newUser(id)
        (user.username, user.email, user.phone) = (migrated.username, migrated.email, migrated.phone)
        // As who signs up so: what they are not called by may be others' too.
        switch identifier {
        case .email: user.sharesPhone = !step.settings.signUp.uniquePhones
        case .phone: user.sharesEmail = true
        case .username, .user: (user.sharesEmail, user.sharesPhone) = (true, true)
        }
        if migrated.username != nil { (user.sharesEmail, user.sharesPhone) = (true, true) }
        user.origin = .transfer
        user.confirmedAt = step.now
        if migrated.provesEmail, user.email != nil { user.emailVerifiedAt = step.now }
        if migrated.provesPhone, user.phone != nil { user.phoneVerifiedAt = step.now }
        if let password { try PasswordReplacement.Password.new(password).give(to: &user, step) }
        try user.write(metadata: migrated.metadata, attributes: nil, call: step.call)
        try user.write(migrated.attributes, migrated.operatorAttributes, in: dialect, step.settings)
        user.name(providers: LocalIdentities.providers(of: user))
        let isByPhone = user.email == nil && user.phone != nil
        try step.admit(&user, by: isByPhone ? LocalIdentities.phone : LocalIdentities.email, isInvited: true)
        // Somebody else's already: nobody is told whose.
        guard try isFree(user, step) else { return nil }
        try step.tx.insert(user)
        try LocalIdentities(step).insert(for: user)
        try step.record(.signedUp, user, details: ["by": "migration"])
        return user
    }
}

extension MigratedUser {
    /// Whether this is who was named.
    fileprivate func isCalled(_ identifier: SignInIdentifier) -> Bool {
        switch identifier {
        case .email(let address): email == address
        case .phone(let number): phone == number
        case .username(let name): username?.key == name.key
        case .user: false
        }
    }
}
