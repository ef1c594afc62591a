// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The sign-ups with one address that nobody has answered. Each keeps its own password, so whoever signs up with
/// somebody else's address changes nothing for its owner, be it before or after the owner does.
///
/// Which of them is whose can't be known; roughly where each came from is the best guess there is.
struct SignUpAttempts: Sendable {
    /// How many are kept for one account, so that a stranger can't fill the store or the owner's mailbox.
    static let maximum = 5
    /// For how long another sign-up from one network has to wait, where the Directory does not say.
    private static let interval = TimeSpan.minutes(1)

    /// The newest first.
    let all: [SignUpAttempt]
    private let place: String?
    private let now: Instant
    private let interval: TimeSpan

    init(of user: UserID, call: CallContext, in tx: any StoreReading) throws {
        all = try tx.signUpAttempts(of: user, in: call.directory.id)
        place = call.device.truncatedAddress
        now = call.now
        interval = call.settings.oneTime.resendInterval.map { .seconds(Int64($0)) } ?? Self.interval
    }

    /// For how long the caller can't be sent another message for this address: one from where they are went out just
    /// now, or too many from everywhere.
    var wait: TimeSpan? {
        let recent = all.filter { now.age(of: $0.createdAt) < interval }
        let last = recent.first { $0.truncatedAddress == place } ?? (recent.count < Self.maximum ? nil : recent.last)
        return last.map { $0.createdAt + interval - now }
    }

    /// The one that makes room for another: the oldest from where most of them came from, so that many sign-ups by one
    /// stranger do not displace the owner's.
    var displaced: SignUpAttempt? {
        guard all.count >= Self.maximum else { return nil }
        let counts = Dictionary(grouping: all, by: \.truncatedAddress).mapValues(\.count)
        let most = counts.values.max()
        return all.last { counts[$0.truncatedAddress] == most }
    }

    private var answerable: [SignUpAttempt] { all.filter { $0.passwordHash != nil } }

    /// The newest from where the caller is: the one that somebody means who asks for its message again. Any other could
    /// be a stranger's; what they are sent then confirms the address, and no password.
    var own: SignUpAttempt? { answerable.first { $0.truncatedAddress == place } }

    /// The newest, where all came from one place: the one that an operator means who confirms the account.
    var only: SignUpAttempt? {
        Set(answerable.map(\.truncatedAddress)).count == 1 ? answerable.first : nil
    }

    /// The one whose password a sign-in is judged by. One comparison an attempt: of several sign-ups, one is told that
    /// its address is not confirmed.
    var judged: SignUpAttempt? { own ?? answerable.first }
}

extension User {
    /// Gives the account the password of a sign-up that nobody has answered yet.
    mutating func open(by attempt: SignUpAttempt) {
        passwordHash = attempt.passwordHash
        passwordChangedAt = attempt.passwordHash == nil ? nil : attempt.createdAt
        // It is of the user that the sign-up was of: the next sign-in by the password makes one of another.
        srpVerifier = id == attempt.userID ? attempt.srpVerifier : nil
    }
}

extension StoreReading {
    /// The user as a sign-in by password judges them: one whose sign-up nobody has answered has the password of it.
    ///
    /// Where a dialect opens unverified accounts and others do not, a sign-up of those is nothing to it until it is
    /// answered. And where somebody has opened the account in that dialect, a sign-up from where the caller is comes
    /// first for the others: its owner is to be told that it waits for its confirmation.
    func judged(_ user: User?, _ call: CallContext) throws -> User? {
        // Asked for everybody, so that both ways take the same steps.
        let attempts = try SignUpAttempts(of: user?.id ?? Nobody.newcomer(call).id, call: call, in: self)
        guard var user, !user.isConfirmed else { return user }
        let attempt: SignUpAttempt?
        switch (call.opensUnverified, call.settings.signUp.unverifiedSignIn) {
        case (true, .dialect): attempt = nil
        case (true, _): attempt = user.passwordHash == nil ? attempts.judged : nil
        case (false, _): attempt = user.passwordHash == nil ? attempts.judged : attempts.own
        }
        if let attempt { user.open(by: attempt) }
        return user
    }
}
