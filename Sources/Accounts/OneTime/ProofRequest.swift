// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Somebody's wish for a link or a code. It is answered alike for known and unknown addresses: one transaction of the
/// same statements (see ``Nobody``), one rendered message, and no word of whether it was sent.
struct ProofRequest: Sendable {
    var purpose: OneTimeToken.Purpose
    var recipient: OneTimeIssuer.Recipient
    var redirectTo: String?
    var codeChallenge: String?
    /// The sign-up that the message is for.
    var signUp: SignUpAttempt?
    var action: AuditEvent.Action

    /// Sends the message when there is a user to send it to, their last one is not too fresh, and the limits have room.
    ///
    /// - Returns: what was sent, to be counted once the transaction is done.
    func fulfil(
        for user: User?, within allowance: MessageAllowance, call: CallContext, ports: AccountPorts,
        in tx: any StoreWriting
    ) throws -> SentMessage? {
        let nobody = try Nobody.user(call, in: tx)
        let isTooSoon = try isTooSoon(for: user ?? nobody, call: call, in: tx)
        var target = nobody
        var sent: SentMessage?
        if let user, !isTooSoon, hasRoom(for: user, allowance, call, ports) {
            target = user
            sent = SentMessage(recipient: recipient, isProven: recipient.isProven(for: user))
        }
        try OneTimeIssuer(ports).send(
            purpose, to: &target, recipient: recipient, redirectTo: redirectTo, codeChallenge: codeChallenge,
            signUp: sent == nil ? nil : signUp, isReal: sent != nil, call: call, in: tx)
        try tx.update(target)
        try record(user?.id, call: call, ports: ports, in: tx)
        return sent
    }

    private func hasRoom(
        for user: User, _ allowance: MessageAllowance, _ call: CallContext, _ ports: AccountPorts
    ) -> Bool {
        let room = allowance.room(recipient.channel)
        return (recipient.isProven(for: user) ? room.proven : room.unproved)
            && ports.limits.mayReceive(recipient, call: call)
    }

    func record(_ user: UserID?, call: CallContext, ports: AccountPorts, in tx: any StoreWriting) throws {
        var email: EmailAddress?
        if case .email(let address) = recipient { email = address }
        try tx.append(
            AuditEvent(
                action, user: user, email: email, details: ["purpose": .string(purpose.rawValue)], call: call,
                random: ports.random))
    }

    /// Whether a message with a proof that is still good went out so recently that another would only be a nuisance.
    func isTooSoon(for user: User, call: CallContext, in tx: any StoreReading) throws -> Bool {
        let sent = try tx.oneTimeTokens(of: user.id, purpose: purpose, in: call.directory.id)
        guard let last = sent.first(where: { $0.signUp == signUp?.id }) else { return false }
        // One whose code its own asker has typed wrongly too often is not good any more.
        return last.recipient == recipient.address && last.ownAttempts < call.settings.oneTime.maximumAttempts
            && call.now.age(of: last.createdAt) < .seconds(call.settings.oneTime.resendInterval)
    }
}
