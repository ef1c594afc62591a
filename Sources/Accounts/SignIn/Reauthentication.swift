// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whether a session's proof is too old to decide who may sign in. That is not for whoever found an old session open,
/// or holds a token of one: a new password, a new number, and a new address that the present one has no say in. Who has
/// no way in yet has nothing that could be taken from them.
struct Reauthentication: Sendable {
    /// A session this young counts as a fresh authentication for a new password (the rule that clients know).
    private static let freshness = TimeSpan.hours(24)
    /// The same for a new address or number: as long as an access token lives by default, so that one which was stolen
    /// from an older session gains no lasting way in.
    private static let addressFreshness = TimeSpan.hours(1)

    private let call: CallContext
    /// Of what the session's user has last shown of who they are: single sign-on opens young sessions by old proofs,
    /// and whoever proves anew who they are goes on in the session that they have. `nil` where there is no session,
    /// which is as old as any.
    private let age: TimeSpan?

    init(_ authenticated: AuthenticatedUser, call: CallContext) {
        self.call = call
        age = authenticated.session.map { call.now.age(of: $0.authenticatedAt) }
    }

    private func isOlder(than freshness: TimeSpan) -> Bool { age.map { $0 > freshness } ?? true }

    var isNeededForPassword: Bool {
        call.settings.password.changeNeedsReauthentication && isOlder(than: Self.freshness)
    }

    /// Whether one of the changes needs the code that proves a fresh authentication.
    func isNeeded(for changes: UserChanges, of user: User) -> Bool {
        if changes.password != nil, isNeededForPassword { return true }
        guard call.settings.oneTime.addressChangeNeedsReauthentication, isOlder(than: Self.addressFreshness),
            user.isProved || user.passwordHash != nil
        else { return false }
        if changes.dropsFormerEmail, changes.email == nil, user.email != nil { return true }
        if changes.dropsFormerPhone, changes.phone == nil, user.phone != nil { return true }
        if let phone = changes.phone, phone != user.phone { return true }
        guard let email = changes.email, email != user.email else { return false }
        return user.emailVerifiedAt == nil || !call.settings.oneTime.secureEmailChange || changes.dropsFormerEmail
    }

    /// Whether somebody else's word, which is to let the user in from now on, or no longer, needs a fresh
    /// authentication.
    func isNeededForIdentity(of user: User) -> Bool {
        call.settings.oneTime.addressChangeNeedsReauthentication && isOlder(than: Self.addressFreshness)
            && !user.isAnonymous
    }

    /// Whether a first second factor, which shuts out whoever has none, needs a fresh authentication. It can't be had
    /// by a code or a password here: whoever signs in again has it.
    var isNeededForFactor: Bool {
        call.settings.factors.enrolmentNeedsReauthentication && isOlder(than: Self.addressFreshness)
    }

    /// `nil` when the changes may go on. A wrong code is counted, so a refusal must be committed.
    func refusal(of changes: UserChanges, of user: User, _ step: FlowStep) throws -> AuthError? {
        guard isNeeded(for: changes, of: user) else { return nil }
        guard let nonce = changes.nonce else { return AuthError(.reauthenticationNeeded) }
        let isRight = try OneTimeCodeCheck(step).spend(nonce, purpose: .reauthentication, of: user)
        return isRight ? nil : AuthError(.reauthenticationInvalid)
    }
}
