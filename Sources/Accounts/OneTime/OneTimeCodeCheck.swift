// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Judges codes typed by hand, which are short enough to guess unless every guess is counted.
///
/// A code dies after `maximumAttempts` wrong ones. Whoever asks for a new code each time meets a second limit: after
/// ``maximumFailures`` wrong codes in ``failureWindow`` no code of that user is taken (NIST SP 800-63B-4,
/// section 3.2.2: at most 100 consecutive failures), while the link in the mail still works.
public struct OneTimeCodeCheck: Sendable {
    static let maximumFailures = 100
    static let failureWindow = Span.hours(24)
    private static let maximumLength = 16

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Spends the user's code of this purpose. Whether it was right; when it was not, the attempt is counted, so the
    /// caller's transaction must commit in both cases.
    public func spend(
        _ code: String, purpose: OneTimeToken.Purpose, of user: User, call: CallContext, in tx: any StoreWriting
    ) throws -> Bool {
        let token = try tx.oneTimeToken(of: user.id, purpose: purpose, in: call.directory.id)
        return try match(code, among: [token].compactMap(\.self), address: nil, call: call, in: tx) != nil
    }

    /// The token that `code` belongs to, now consumed; `nil` when there is none, and then the attempt is counted
    /// against every live token of the list and written to the audit log.
    func match(
        _ code: String, among tokens: [OneTimeToken], address: EmailAddress?, call: CallContext,
        in tx: any StoreWriting
    ) throws -> OneTimeToken? {
        let code = code.utf8.count <= Self.maximumLength ? code : ""
        let limit = call.settings.oneTime.maximumAttempts
        var locked: Set<UserID> = []
        // Once for each user, however many sign-ups with their address there are.
        for user in Set(tokens.map(\.userID)) where try isLocked(user, call: call, in: tx) { locked.insert(user) }
        var candidates = tokens.filter { !locked.contains($0.userID) }
        candidates.removeAll { $0.codeExpiresAt <= call.now || $0.attempts >= limit }
        var matching: OneTimeToken?
        // Every candidate is compared, so that the time taken does not say which one it was.
        for token in candidates where Self.isRight(code, for: token, call: call) { matching = token }
        if tokens.isEmpty {
            let nobody: UserID = ports.random.identifier()
            _ = OneTimeToken.hash(code: code, of: nobody, purpose: .magicLink, under: call.directory.tokenKey)
            _ = try isLocked(nobody, call: call, in: tx)
        }
        if let matching, try tx.consume(matching.id) { return matching }
        for token in candidates { _ = try tx.countAttempt(token.id, limit: limit) }
        // What is refused because of the lock must not prolong it: only the attempts before it name the user.
        let user = candidates.first?.userID ?? tokens.first { !locked.contains($0.userID) }?.userID
        try tx.append(
            AuditEvent(
                .verificationFailed, user: user, email: address,
                details: ["reason": locked.isEmpty ? "wrong_code" : "too_many_wrong_codes"], call: call,
                random: ports.random))
        return nil
    }

    private func isLocked(_ user: UserID, call: CallContext, in tx: any StoreReading) throws -> Bool {
        let failure = try tx.auditEvents(
            in: call.directory.id, action: .verificationFailed, user: user, offset: Self.maximumFailures - 1, limit: 1)
        return failure.first.map { $0.at > call.now - Self.failureWindow } ?? false
    }

    private static func isRight(_ code: String, for token: OneTimeToken, call: CallContext) -> Bool {
        let hash = OneTimeToken.hash(
            code: code, of: token.userID, purpose: token.purpose, under: call.directory.tokenKey)
        return constantTimeEqual(hash, token.codeHash)
    }
}
