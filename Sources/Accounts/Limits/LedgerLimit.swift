// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One of a Directory's limits and whom it counts, in the store's ledger of attempts. Every dialect and every process
/// share it: whoever is out of attempts in one is in all.
struct LedgerLimit: Sendable {
    let rule: RateLimitRule
    /// HMAC of the limit's name and of what it counts, under the Directory's token key: neither an address of a client
    /// nor one of an account is kept. The rule's numbers are not in it, so that a changed setting gives nothing back.
    let key: [UInt8]
    private let call: CallContext

    /// - Parameters:
    ///   - name: of the limit.
    ///   - subject: what is counted: a client at an account, an account.
    init(_ name: String, _ rate: DirectorySettings.Rate, _ subject: String, _ call: CallContext) {
        self.init(name, rate, key: Self.key(name, subject, call), call)
    }

    /// - Parameter key: as ``key(_:_:_:)`` has made it before.
    init(_ name: String, _ rate: DirectorySettings.Rate, key: [UInt8], _ call: CallContext) {
        rule = Self.rule(name, rate)
        self.key = key
        self.call = call
    }

    static func rule(_ name: String, _ rate: DirectorySettings.Rate) -> RateLimitRule {
        RateLimitRule(name: name, count: rate.count, period: .seconds(rate.seconds))
    }

    static func key(_ name: String, _ subject: String, _ call: CallContext) -> [UInt8] {
        key(name, subject, in: call.directory)
    }

    static func key(_ name: String, _ subject: String, in directory: Directory) -> [UInt8] {
        Array(directory.authenticationCode(of: Array("attempts\u{0}\(name)\u{0}\(subject)".utf8)).prefix(16))
    }

    /// How long there is no room for another attempt; `nil` where there is.
    ///
    /// - Parameter pending: attempts that are under way and not in the ledger.
    func exhaustion(pending: Int = 0, in tx: any AttemptReading) throws -> Exhaustion? {
        exhaustion(of: try tx.attemptsEnd(key, in: call.directory.id), pending: pending)
    }

    /// As ``exhaustion(pending:in:)``, of what the ledger has said: when all that was counted will be forgotten.
    func exhaustion(of end: Instant?, pending: Int = 0) -> Exhaustion? {
        guard case .denied(let wait) = rule.judge(end, pending: pending, at: call.now) else { return nil }
        return Exhaustion(limit: rule.name, wait: wait)
    }

    /// What is said where the room went between a look and the attempt.
    var full: Exhaustion { Exhaustion(limit: rule.name, wait: rule.portion?.cost ?? .seconds(60)) }

    /// Counts an attempt. Whether there was room for it.
    func take(in tx: any AttemptWriting) throws -> Bool {
        try tx.takeAttempt(rule, key: key, in: call.directory.id, at: call.now)
    }

    /// As ``take(in:)``, and says of no room what there is to say.
    func refusal(in tx: any AttemptWriting) throws -> Exhaustion? {
        try take(in: tx) ? nil : exhaustion(in: tx) ?? full
    }

    func giveBack(in tx: any AttemptWriting) throws { try tx.giveBackAttempt(rule, key: key, in: call.directory.id) }
    func forget(in tx: any AttemptWriting) throws { try tx.forgetAttempts(key, in: call.directory.id) }
}

/// A limit without room: what a transaction says of it. The refusal that comes of it is told to whoever watches, so it
/// is made outside: see ``AccountLimits/refusal(_:call:else:)``.
struct Exhaustion: Error, Hashable {
    let limit: String
    let wait: TimeSpan
}
