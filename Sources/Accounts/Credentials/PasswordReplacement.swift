// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Everything that follows when an account's password is replaced or taken away: the one place where that is done, so
/// that no flow forgets a part of it (ADR 0021).
///
/// - Changes of address and number that wait for their confirmation are given up.
/// - Links, codes and sign-ups under way end, and tokens issued until now are no longer the user's.
/// - A lock is lifted: what was guessed was guessed at the former one.
/// - Sessions end, but the one in which the user chose the new password.
/// - The owner is told by every way in there was.
/// - The audit log says so, and by what right it was done.
///
/// A password of another form with the same words in it is no replacement, nor is the first one of a new user.
struct PasswordReplacement {
    /// By what right the password is replaced.
    enum Right: Sendable, Equatable {
        /// The user's, who is signed in: this session goes on, where it is one.
        case session(SessionID?)
        /// The user's, who has shown the temporary password that they were given.
        case temporaryPassword
        /// That of whoever received a message of this purpose. A sign-up's brings the account's first password, as a
        /// rule.
        case proof(OneTimeToken.Purpose)
        case administrator
        /// That of whoever an identity provider vouches for: the address is theirs.
        case identity
        /// An administrator's, who asks the owner of the address in, whoever has used it so far.
        case invitation
        /// That of the demo's own command, over its own account.
        case demo
    }

    /// What takes the former password's place.
    enum Password: Sendable {
        case new(NewPassword)
        /// Of a password that was never at hand.
        case hash(PasswordHash)
        /// The one of a sign-up.
        case signUp(SignUpAttempt)
        /// Nothing: the user signs in by other ways, or sets one by them.
        case none

        /// Gives it to a user who is about to be inserted.
        func give(to user: inout User, _ step: FlowStep) throws {
            switch self {
            case .new(let password):
                user.passwordHash = password.hash
                user.passwordChangedAt = step.now
                if let verifier = try password.verifier(for: user.id, step) { user.srpVerifier = verifier }
            case .hash(let hash):
                user.passwordHash = hash
                user.passwordChangedAt = step.now
            case .signUp(let attempt): user.open(by: attempt)
            case .none: user.passwordHash = nil
            }
        }
    }

    private let step: FlowStep
    private let right: Right

    init(_ step: FlowStep, by right: Right) {
        self.step = step
        self.right = right
    }

    /// Puts `password` in the place of the one there is, if any, and does what follows from it. The caller writes the
    /// user.
    ///
    /// - Parameter user: with the ways in that are to be told: before any of them is changed beside the password.
    func apply(_ password: Password, to user: inout User) throws {
        let before = user
        try password.give(to: &user, step)
        try endWhatIsUnderWay(&user)
        try Lockouts(step).lift(user.id, by: "password")
        user.revokeTokens(at: step.now)
        try SessionEnding(step).endAll(of: user.id, except: spared, because: .passwordChanged)
        guard isReplacement(before, user) else { return }
        try OwnerNotice(step).tellPasswordReplaced(before, became: user)
        try step.record(.passwordChanged, user, details: by.map { ["by": .string($0)] } ?? [:])
    }

    private func endWhatIsUnderWay(_ user: inout User) throws {
        // An anonymous user who is giving themselves an address and a password does both, in whichever order. Nobody
        // else has a way in by which they could have asked for that address.
        if case .session = right, user.isAnonymous { return }
        user.dropPendingChanges()
        try AccountEnding(step).endProofs(of: user)
    }

    private var spared: SessionID? { if case .session(let id) = right { id } else { nil } }

    /// Whether there is something to tell. A first password beside other ways in is one more way in; the one that an
    /// account begins with is none.
    private func isReplacement(_ before: User, _ user: User) -> Bool {
        before.passwordHash != nil
            || user.passwordHash != nil && ![.proof(.signUpConfirmation), .proof(.invitation)].contains(right)
    }

    /// As the audit log names the right; `nil` for the user's own, of whom it says so already.
    private var by: String? {
        switch right {
        case .session: nil
        case .temporaryPassword: "temporary_password"
        case .proof(let purpose): purpose.rawValue
        case .identity: "identity"
        case .administrator: "administrator"
        case .invitation: "invitation"
        case .demo: "demo"
        }
    }
}
