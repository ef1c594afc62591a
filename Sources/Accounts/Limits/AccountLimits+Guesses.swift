// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An attempt at somebody's password that has been counted before it is judged, so that a hundred at once are no more
/// than the limit lets through one by one.
struct Guess: Sendable {
    fileprivate let counted: [CountedLimit]
    fileprivate let counts: any AttemptCounting
    fileprivate let now: Instant

    /// The password was right, or was never judged: nothing was guessed.
    func takeBack() {
        for limit in counted { counts.giveBack(limit.rule, key: limit.key, now: now) }
    }
}

extension AccountLimits {
    /// Counts an attempt at a password.
    ///
    /// A client that guesses wrongly too often is stopped at this account, and nobody else with it. Guesses of all
    /// clients together stop those from networks that the account was never used from; its owner comes in from where
    /// they have been before, or by a mailed link, which makes the network they open it in a known one.
    ///
    /// - Parameter subject: whose password it is: see ``SignInIdentifier/subject(_:in:)``.
    /// - Throws: ``AuthErrorCode/rateLimited`` with the time to wait.
    func guess(at subject: UserID, call: CallContext, store: any AccountStoring) async throws -> Guess {
        let limits = call.settings.limits
        let own = limit("password client", limits.signInPerIdentifier, call.origin + " " + subject.rawValue, call)
        let all = limit("password account", limits.signInPerAccount, subject.rawValue, call)
        try take(own, call)
        guard case .denied(let wait) = counts.take(all.rule, key: all.key, now: call.now) else {
            return Guess(counted: [own, all], counts: counts, now: call.now)
        }
        let isKnown = try await store.read { try KnownNetwork.contains(call, of: subject, in: $0) }
        let network = limit(
            "password network", limits.signInPerIdentifier,
            (call.device.truncatedAddress ?? "") + " " + subject.rawValue, call)
        do {
            guard isKnown else { throw counts.refusal(all, wait: wait, in: call, else: .rateLimited) }
            try take(network, call)
        } catch {
            counts.giveBack(own.rule, key: own.key, now: call.now)
            throw error
        }
        return Guess(counted: [own, network], counts: counts, now: call.now)
    }

    /// Somebody has answered a message of this user's: what was guessed at their password until now keeps them out no
    /// longer.
    func forgive(_ user: UserID, call: CallContext) {
        let limits = call.settings.limits
        for limit in [
            limit("password client", limits.signInPerIdentifier, call.origin + " " + user.rawValue, call),
            limit("password account", limits.signInPerAccount, user.rawValue, call),
        ] { counts.forget(limit.rule, key: limit.key) }
    }

    func limit(
        _ name: String, _ rate: DirectorySettings.Rate, _ key: String, _ call: CallContext
    ) -> CountedLimit { CountedLimit(name, rate, key: key, in: call.directory) }

    private func take(_ limit: CountedLimit, _ call: CallContext) throws(AuthError) {
        guard case .denied(let wait) = counts.take(limit.rule, key: limit.key, now: call.now) else { return }
        throw counts.refusal(limit, wait: wait, in: call, else: .rateLimited)
    }
}

extension SignInIdentifier {
    /// Whom attempts by this name are counted for: the user, by whatever they are called, and for a name that nobody
    /// has an identifier that follows from it.
    func subject(_ user: User?, in directory: Directory) -> UserID {
        user?.id ?? directory.derivedIdentifier("srp", of: name)
    }
}
