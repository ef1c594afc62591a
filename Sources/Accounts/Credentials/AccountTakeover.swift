// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What becomes of an account that nobody has proved, once somebody proves that its address is theirs (ADR 0028, 0089):
/// what whoever opened it may have left there to come back by ends first, all of it.
///
/// - The password, sessions, links and codes, pending changes: ``PasswordReplacement``.
/// - Whatever issuers know them by.
/// - The number beside the address that is proved, or the address beside the number, where an operator did not write
///   it.
/// - What they have agreed that apps may be given, and what they have agreed to themselves.
/// - Second factors: the owner could not prove a stranger's. Remembered devices: a stranger's would stand in for one.
struct AccountTakeover {
    private let step: FlowStep
    private let right: PasswordReplacement.Right
    private let part: AccountPart

    /// - Parameters:
    ///   - right: by what the address was proved.
    ///   - part: what was proved: the address or the number.
    init(_ step: FlowStep, by right: PasswordReplacement.Right, proving part: AccountPart = .email) {
        self.step = step
        self.right = right
        self.part = part
    }

    /// The caller writes the user.
    ///
    /// - Parameter password: what takes the former one's place.
    func apply(_ password: PasswordReplacement.Password = .none, to user: inout User) throws {
        try endOthers(of: &user)
        try PasswordReplacement(step, by: right).apply(password, to: &user)
    }

    /// What the replacement of a password does not end: for callers who replace it themselves.
    func endOthers(of user: inout User) throws {
        try step.tx.deleteConsents(of: user.id, in: user.directoryID)
        try step.tx.deleteAgreements(of: user.id, in: user.directoryID)
        try step.tx.deleteFactors(of: user.id, in: user.directoryID)
        try step.tx.deleteRememberedDevices(of: user.id, in: user.directoryID)
        dropUnproved(of: &user)
        let others = try step.tx.identities(of: user.id, in: user.directoryID).filter { !LocalIdentities.isLocal($0) }
        guard !others.isEmpty else { return }
        for identity in others {
            try AccountEnding(step).end(identity)
            try step.record(.identityUnlinked, user, details: ["provider": .string(identity.provider), "by": "owner"])
        }
        user.name(providers: LocalIdentities.providers(of: user))
    }

    /// What nobody has proved leads to nobody: whoever has it would come in by it.
    private func dropUnproved(of user: inout User) {
        guard user.origin == .signUp, user.email != nil, user.phone != nil else { return }
        if part == .phone, user.emailVerifiedAt == nil { (user.email, user.sharesEmail) = (nil, false) }
        if part == .email, user.phoneVerifiedAt == nil { (user.phone, user.sharesPhone) = (nil, false) }
    }
}
