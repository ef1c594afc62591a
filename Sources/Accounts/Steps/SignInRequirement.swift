// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What must hold before a proof opens a session, in the order in which it is asked (ADR 0019).
///
/// Each is a pure function of the user and their factors, what they have proved, and the call's Directory and client.
/// All are asked again after each step: a step that was taken is one whose requirement now holds, so nobody keeps a
/// list of what was done. What a later kind of sign-in asks for besides is one case here, at its place in the order.
enum SignInRequirement: CaseIterable {
    /// The account is there and may be used. The one requirement that a session must go on to meet.
    case usableAccount
    /// A password that was shown is the user's own choice, not an administrator's.
    case ownPassword
    /// What was named beside a password is confirmed to be the user's, and of whom a passkey names something is, or
    /// whom challenges of the operator's were answered as. Whoever answers a message proves that by it.
    case confirmation
    /// Whoever says that they are on a device that is remembered has proved its secret: beside a password, which it may
    /// spare a second factor.
    case device
    /// Whoever has a second factor has proved it, in dialects whose vendor asks before there is a session.
    case secondFactor
    /// Whoever must have one does.
    case enrolment
    /// What the Directory demands is agreed to, in its current version, by whoever is somebody.
    case terms

    /// What follows where a requirement does not hold.
    enum Unmet: Hashable {
        case refused(AuthErrorCode)
        case asks(SignInTicket.Step)
    }

    /// The first that does not hold; `nil` when there may be a session.
    ///
    /// - Parameters:
    ///   - factors: asked for where it decides alone.
    ///   - terms: whether there are some that the user has yet to agree to; likewise.
    ///   - last: those that are asked after this one are left out.
    static func firstUnmet(
        by user: User, _ proof: SignInProof, _ call: CallContext, factors: @autoclosure () throws -> FactorNeed,
        terms: @autoclosure () throws -> Bool, through last: SignInRequirement? = nil
    ) rethrows -> Unmet? {
        for requirement in allCases {
            if let unmet = try requirement.unmet(by: user, proof, call, factors, terms) { return unmet }
            if requirement == last { break }
        }
        return nil
    }

    private func unmet(
        by user: User, _ proof: SignInProof, _ call: CallContext, _ factors: () throws -> FactorNeed,
        _ terms: () throws -> Bool
    ) rethrows -> Unmet? {
        switch self {
        case .usableAccount: return call.refusal(of: user).map { .refused($0) }
        case .ownPassword:
            guard proof.includes(.password), let temporary = user.temporaryPassword else { return nil }
            return temporary.hasExpired(at: call.now) ? .refused(.temporaryPasswordExpired) : .asks(.newPassword)
        case .confirmation:
            guard proof.includes(.password) || proof.isByPasskey || proof.includes(.custom) else { return nil }
            switch (call.requiredConfirmation, proof.identifier) {
            case (.nothing, _): return nil
            case (.address, .email): return user.emailVerifiedAt == nil ? .refused(.emailNotVerified) : nil
            case (.address, .phone): return user.phoneVerifiedAt == nil ? .refused(.phoneNotVerified) : nil
            case (.address, .username), (.address, .user), (.address, nil), (.account, _):
                guard !user.isConfirmed else { return nil }
                return .refused(user.email == nil && user.phone != nil ? .phoneNotVerified : .emailNotVerified)
            }
        case .device:
            guard call.factorPolicy == .beforeSession, proof.device != nil, proof.includes(.password),
                !proof.includes(.rememberedDevice), !proof.isContinuation, try factors().device != nil
            else { return nil }
            return .asks(.device)
        case .secondFactor:
            guard proof.needsFactor(call), !proof.isContinuation, try factors().isSet else { return nil }
            return .asks(.secondFactor)
        case .enrolment:
            // Who was anybody until now has met no demand yet.
            guard proof.needsFactor(call), !proof.isContinuation || proof.wasAnonymous && !user.isAnonymous,
                try factors().isDemanded
            else { return nil }
            return .asks(.enrolment)
        case .terms:
            guard !proof.includes(.anonymous), !proof.isContinuation || proof.wasAnonymous && !user.isAnonymous,
                try terms()
            else { return nil }
            return .asks(.terms)
        }
    }
}

extension SignInProof {
    /// Whether a second factor may be asked for beside it. Not of whom a program of the operator's vouches for: they
    /// may do as little as their session's level says (``AssuranceRule``).
    fileprivate func needsFactor(_ call: CallContext) -> Bool {
        call.factorPolicy == .beforeSession && assurance < .aal2 && !includes(.assertion) && !includes(.anonymous)
    }
}

extension CallContext {
    /// Why the user may neither have a session nor go on with one; `nil` when they may.
    func refusal(of user: User) -> AuthErrorCode? {
        if user.deletedAt != nil || user.directoryID != directory.id { return .userNotFound }
        return user.isBanned(at: now) ? .userBanned : nil
    }

    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``.
    func requireUsable(_ user: User) throws(AuthError) {
        if let refusal = refusal(of: user) { throw AuthError(refusal) }
    }
}
