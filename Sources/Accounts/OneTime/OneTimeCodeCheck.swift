// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Judges codes typed by hand, which are short enough to guess unless every guess is counted.
///
/// Who guesses is counted apart from whose code it is (ADR 0015), so that nobody keeps somebody else from typing
/// theirs. A code is one's own where one asked for it, or is in a network that the account was used from. After
/// `maximumAttempts` wrong tries of strangers a code is deaf to strangers, and after as many of its own it is dead.
/// Whoever asks for a new code each time meets a second limit, of a day: strangers are heard no more after
/// ``strangersFailures`` wrong codes, whoever asked after ``askersFailures``, and known networks after ``ownFailures``
/// with those of askers. That is 100 in all (NIST SP 800-63B-4, section 3.2.2). The link in the mail always works.
public struct OneTimeCodeCheck {
    static let strangersFailures = 25
    static let askersFailures = 50
    static let ownFailures = 75
    static let failureWindow = TimeSpan.hours(24)
    private static let maximumLength = 16

    private let step: FlowStep

    public init(_ step: FlowStep) {
        self.step = step
    }

    /// Spends the user's code of this purpose. Whether it was right; when it was not, the attempt is counted, so the
    /// caller's transaction must commit in both cases.
    public func spend(_ code: String, purpose: OneTimeToken.Purpose, of user: User) throws -> Bool {
        let token = try step.tx.oneTimeToken(of: user.id, purpose: purpose, in: step.directory)
        guard let spent = try match(code, among: [token].compactMap(\.self), address: nil) else { return false }
        try step.ports.limits.answered(spent, of: user, call: step.call, in: step.tx)
        return true
    }

    /// The token that `code` belongs to, now consumed; `nil` when there is none, and then the attempt is counted
    /// against every live token of the list and written to the audit log.
    func match(_ code: String, among tokens: [OneTimeToken], address: EmailAddress?) throws -> OneTimeToken? {
        let (call, tx) = (step.call, step.tx)
        let code = code.utf8.count <= Self.maximumLength ? code : ""
        let limit = call.settings.oneTime.maximumAttempts
        var candidates: [(token: OneTimeToken, isOwn: Bool)] = []
        var isLocked = false
        let asker = OneTimeToken.asker(call)
        var known: [UserID: Bool] = [:]
        for token in tokens {
            let asked = constantTimeEqual(asker, token.askedBy)
            // Once for each user, however many sign-ups with their address there are.
            let isKnown = try known[token.userID] ?? KnownNetwork.contains(call, of: token.userID, in: tx)
            known[token.userID] = isKnown
            if try self.isLocked(token.userID, asked: asked, isKnown: isKnown) {
                isLocked = true
            } else {
                candidates.append((token, asked || isKnown))
            }
        }
        let open = candidates.first
        candidates.removeAll { token, isOwn in
            token.codeExpiresAt <= call.now || (isOwn ? token.ownAttempts : token.attempts) >= limit
        }
        var matching: OneTimeToken?
        // Every candidate is compared, so that the time taken does not say which one it was.
        for (token, _) in candidates where Self.isRight(code, for: token, call: call) { matching = token }
        if tokens.isEmpty {
            let nobody: UserID = step.random.identifier()
            _ = OneTimeToken.hash(code: code, of: nobody, purpose: .magicLink, under: call.directory.tokenKey)
            let isKnown = try KnownNetwork.contains(call, of: nobody, in: tx)
            _ = try self.isLocked(nobody, asked: false, isKnown: isKnown)
            // There is no such token; a wrong code for one there is costs as much.
            try tx.countAttempt(step.random.identifier(), isOwn: false)
        }
        if let matching, try tx.consume(matching.id) { return matching }
        for (token, isOwn) in candidates { try tx.countAttempt(token.id, isOwn: isOwn) }
        // What is refused because of the lock must not prolong it: only the attempts before it name the user.
        let counted = candidates.first ?? open
        try step.record(
            counted?.isOwn ?? true ? .verificationFailed : .codeGuessed, user: counted?.token.userID, email: address,
            details: ["reason": isLocked ? "too_many_wrong_codes" : "wrong_code"])
        return nil
    }

    private func isLocked(_ user: UserID, asked: Bool, isKnown: Bool) throws -> Bool {
        let isOwn = asked || isKnown
        let limit = isKnown ? Self.ownFailures : asked ? Self.askersFailures : Self.strangersFailures
        let failure = try step.tx.auditEvents(
            of: user, in: step.directory, action: isOwn ? .verificationFailed : .codeGuessed,
            until: step.now.latestNoted, offset: limit - 1, limit: 1)
        return failure.first.map { $0.at > step.now - Self.failureWindow } ?? false
    }

    private static func isRight(_ code: String, for token: OneTimeToken, call: CallContext) -> Bool {
        let hash = OneTimeToken.hash(
            code: code, of: token.userID, purpose: token.purpose, under: call.directory.tokenKey)
        return constantTimeEqual(hash, token.codeHash)
    }
}
