// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An attempt at somebody's password, under way. Whoever judges it says in the transaction that does what came of it;
/// what was never compared is none.
///
/// In one process there is room for whatever was let through. Where another process has filled it meanwhile, both
/// methods throw ``Exhaustion``, which undoes the transaction: whether the password was right or not, no more attempts
/// than the limit are ever answered.
struct Guess: Sendable {
    /// One or two.
    fileprivate let limits: [LedgerLimit]
    fileprivate let account: GuessedAccounts.Place
    fileprivate let directory: DirectoryID

    /// What the ledger is asked by, the last first.
    var keys: [[UInt8]] { [limits.last, limits.first].compactMap { $0?.key } }

    /// Counts a wrong password.
    func countWrong(in tx: any AttemptWriting) throws {
        // Whether or not the transaction is kept: who comes next looks once more than they need to.
        account.note()
        for limit in limits { if let exhaustion = try limit.refusal(in: tx) { throw exhaustion } }
    }

    /// Counts nothing for a right password.
    func requireRoom(in tx: any AttemptReading) throws {
        guard let first = limits.first, let last = limits.last else { return }
        // Two at most, by one question.
        let ends = try tx.attemptsEnds(first.key, last.key, in: directory)
        for limit in limits {
            guard let exhaustion = limit.exhaustion(of: ends[limit.key]) else { continue }
            account.note()
            throw exhaustion
        }
    }
}

extension AccountLimits {
    /// Runs `body` as an attempt at a password.
    ///
    /// A client that guesses wrongly too often is stopped at this account, and nobody else with it. Guesses of all
    /// clients together stop those from networks that the account was never used from; its owner comes in from where
    /// they have been before, or by a mailed link, which makes the network they open it in a known one.
    ///
    /// The ledger is looked at before anything is compared, which spares the comparison where there is no room for it.
    ///
    /// - Parameters:
    ///   - subject: whose password it is: see ``SignInIdentifier/subject(_:in:)``.
    ///   - isHopeful: whether that look is left out where this process knows of no wrong guess at the account: it would
    ///     find room nearly always. Where it would not have, the guess itself finds that out, and `body` runs again
    ///     after the look, if there is room for this client.
    ///   - body: compares the password, and tells the guess what came of it.
    /// - Throws: ``AuthErrorCode/rateLimited`` with the time to wait; what `body` throws.
    func guessing<Value>(
        at subject: UserID, call: CallContext, store: any AccountStoring, isHopeful: Bool = false,
        _ body: (Guess) async throws -> Value
    ) async throws -> Value {
        let rates = call.settings.limits
        let own = own(subject, call)
        let all = all(subject, call)
        let network = LedgerLimit(
            "password network", rates.signInPerIdentifier,
            (call.device.truncatedAddress ?? "") + " " + subject.rawValue, call)
        let keys = [own, all, network].map { $0?.key ?? [] }
        // Before the ledger is read: what is settled between the two weighs twice for a moment, and never not at all.
        let pending = underWay.begin(keys)
        defer { underWay.end(keys) }
        let usual = [own, all].compactMap(\.self)
        let memory = usual.map(\.rule.period).max() ?? .zero
        let account = GuessedAccounts.Place(in: guessedAt, all.key, at: call.now, for: memory)
        func guess(_ limits: [LedgerLimit]) -> Guess {
            Guess(limits: limits, account: account, directory: call.directory.id)
        }
        // A limit of nothing forbids, and needs no ledger for it.
        if isHopeful, pending[1] == 0, !account.isKnown, usual.allSatisfy({ $0.rule.portion != nil }) {
            do {
                return try await body(guess(usual))
            } catch is Exhaustion {
                // Another process has counted, or this one before it was started.
            }
        }
        let (exhaustion, limits): (Exhaustion?, [LedgerLimit]) = try await store.read { tx in
            let ends = try tx.attemptsEnds(own?.key ?? all.key, all.key, in: call.directory.id)
            if let own, let exhaustion = own.exhaustion(of: ends[own.key], pending: pending[0]) {
                return (exhaustion, [])
            }
            guard let exhaustion = all.exhaustion(of: ends[all.key], pending: pending[1]) else {
                return (nil, usual)
            }
            guard try KnownNetwork.contains(call, of: subject, in: tx) else { return (exhaustion, []) }
            return (try network.exhaustion(pending: pending[2], in: tx), [own, network].compactMap(\.self))
        }
        if let exhaustion { throw refusal(exhaustion, call: call, else: .rateLimited) }
        do {
            return try await body(guess(limits))
        } catch let exhaustion as Exhaustion {
            throw refusal(exhaustion, call: call, else: .rateLimited)
        }
    }

    /// Somebody has answered a message of this user's: what was guessed at their password until now keeps them out no
    /// longer.
    func forgive(_ user: UserID, call: CallContext, in tx: any StoreWriting) throws {
        try own(user, call)?.forget(in: tx)
        try all(user, call).forget(in: tx)
    }

    /// The error that a refused caller is told. The one place where refusals are made.
    func refusal(_ exhaustion: Exhaustion, call: CallContext, else code: AuthErrorCode) -> AuthError {
        counts.noteRefusal(by: exhaustion.limit, of: call)
        return AuthError(code, retryAfter: exhaustion.wait)
    }

    /// `nil` where it is not known which client calls.
    private func own(_ subject: UserID, _ call: CallContext) -> LedgerLimit? {
        call.origin.map {
            LedgerLimit(
                "password client", call.settings.limits.signInPerIdentifier, $0 + " " + subject.rawValue, call)
        }
    }

    private func all(_ subject: UserID, _ call: CallContext) -> LedgerLimit {
        LedgerLimit("password account", call.settings.limits.signInPerAccount, subject.rawValue, call)
    }
}

extension SignInIdentifier {
    /// Whom attempts by this name are counted for: the user, by whatever they are called, and for a name that nobody
    /// has an identifier that follows from it.
    func subject(_ user: User?, in directory: Directory) -> UserID {
        user?.id ?? directory.derivedIdentifier("srp", of: name)
    }
}
