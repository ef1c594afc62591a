// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Tells the owner of an account of a recovery of its second factors: by every way in, and wherever codes of their
/// factors go. Whoever has only the password reads none of it, and does not choose the words that its owner reads.
struct RecoveryNotice {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// That somebody has begun one.
    ///
    /// - Parameter proof: with the link that stops it.
    /// - Returns: whether anybody was told at all.
    func tellBegun(_ user: User, _ factors: [Factor], dueAt: Instant, _ proof: IssuedProof) throws -> Bool {
        let (messages, call) = (step.ports.messages, try step.addressing(user))
        let places = Places(of: user, factors, step.settings)
        for email in places.emails {
            try step.tx.enqueue(
                messages.mail(
                    for: .factorRecoveryStop, to: email, proof: proof, user: user, at: dueAt, call: call))
        }
        let texts = try text(.factorRecoveryBegun, user, to: places.phones, at: dueAt, call)
        return !places.emails.isEmpty || texts > 0
    }

    /// What has become of it: that the wait is over, that it was stopped, that the factors are removed.
    ///
    /// - Parameter time: until when a sign-in removes them, where the wait is over.
    func tell(_ kind: MailKind, _ user: User, _ factors: [Factor], at time: Instant? = nil) throws {
        let (messages, call) = (step.ports.messages, try step.addressing(user))
        let places = Places(of: user, factors, step.settings)
        for email in places.emails {
            try step.tx.enqueue(messages.notice(kind, to: email, user: user, at: time, call: call))
        }
        _ = try text(kind, user, to: places.phones, at: time, call)
    }

    /// - Returns: how many there was room for.
    private func text(
        _ kind: MailKind, _ user: User, to phones: [PhoneNumber: Bool], at time: Instant?, _ call: CallContext
    ) throws -> Int {
        var count = 0
        for (phone, isProven) in phones.sorted(by: { $0.key.e164 < $1.key.e164 })
        where try step.ports.limits.mayTell(.phone(phone), isProven: isProven, call: call, in: step.tx) {
            try step.tx.enqueue(step.ports.messages.textNotice(kind, to: phone, user: user, at: time, call: call))
            count += 1
        }
        return count
    }

    /// Each address and number once.
    private struct Places {
        private(set) var emails: [EmailAddress] = []
        /// And whether it was proved.
        private(set) var phones: [PhoneNumber: Bool] = [:]

        init(of user: User, _ factors: [Factor], _ settings: DirectorySettings) {
            let ways = WaysIn(user, settings)
            if let email = ways.email { emails.append(email) }
            if let phone = ways.phone { phones[phone] = ways.isPhoneProven }
            for factor in factors where factor.isVerified {
                switch factor.credential {
                case .email(let email): if !emails.contains(email) { emails.append(email) }
                case .phone(let phone): phones[phone] = true
                case .totp, .webAuthn, .newWebAuthn, .unreadable: continue
                }
            }
        }
    }
}
