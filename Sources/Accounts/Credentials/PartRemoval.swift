// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes parts from an account, with what belonged to them: one rule, whoever asks. The caller writes the user and
/// tells the owner.
struct PartRemoval {
    private let step: FlowStep
    private let right: PasswordReplacement.Right

    /// - Parameter right: By what right the parts are removed.
    init(_ step: FlowStep, by right: PasswordReplacement.Right) {
        self.step = step
        self.right = right
    }

    /// An address or number goes with whatever waits to take its place, and with all links and codes: those that were
    /// sent to what is gone prove nothing any more.
    ///
    /// - Parameter keepsName: Whether an address or number stays that the user is called by.
    func apply(_ parts: Set<AccountPart>, to user: inout User, keepsName: Bool = false) throws {
        if parts.contains(.password) { try removePassword(of: &user) }
        let removesEmail = parts.contains(.email) && !(keepsName && user.isCalledByEmail)
        let removesPhone = parts.contains(.phone) && !(keepsName && user.isCalledByPhone)
        let losesEmail = removesEmail && (user.email != nil || user.pendingEmail != nil)
        let losesPhone = removesPhone && (user.phone != nil || user.pendingPhone != nil)
        // An account that was confirmed stays so.
        if user.isConfirmed, losesEmail || losesPhone { user.confirmedAt = user.confirmedAt ?? step.now }
        if losesEmail {
            (user.email, user.emailVerifiedAt) = (nil, nil)
            (user.pendingEmail, user.pendingEmailHalfConfirmed) = (nil, false)
        }
        if losesPhone { (user.phone, user.phoneVerifiedAt, user.pendingPhone) = (nil, nil, nil) }
        try removeIdentities(parts, of: &user)
        guard losesEmail || losesPhone else { return }
        try AccountEnding(step).endProofs(of: user)
        try LocalIdentities(step).align(&user)
    }

    /// Also the one of a sign-up that nobody has answered. The user's own tokens stay good: clients of those who do
    /// this go on with the session they have.
    private func removePassword(of user: inout User) throws {
        let attempts = try step.tx.signUpAttempts(of: user.id, in: user.directoryID)
        guard user.passwordHash != nil || !attempts.isEmpty else { return }
        let since = user.tokensValidSince
        try PasswordReplacement(step, by: right).apply(.none, to: &user)
        if case .session = right { user.tokensValidSince = since }
    }

    private func removeIdentities(_ parts: Set<AccountPart>, of user: inout User) throws {
        let identities = try LocalIdentities.all(of: user, step.tx)
        // Those by an address or a number go with it.
        let removed = identities.filter {
            parts.contains(.identity(provider: $0.provider)) && !LocalIdentities.isLocal($0)
        }
        var spared: SessionID?
        if case .session(let session) = right { spared = session }
        for identity in removed { try IdentityEnding(step).unlink(identity, from: &user, except: spared) }
    }
}
