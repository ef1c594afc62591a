// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds the token behind a link or a code and spends it: the part that every flow which takes a proof has in common.
struct SpentProof {
    private static let maximumTokenLength = 256
    /// How many users that wait for one address to confirm are considered.
    private static let maximumSharers = 8

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// The spent token and its user; `nil` for a wrong proof, which is counted and written down, so that the caller's
    /// transaction must commit all the same. Reauthentication is not among what is accepted here.
    func take(_ proof: Proof, purposes: [OneTimeToken.Purpose]) throws -> (token: OneTimeToken, user: User)? {
        let purposes = purposes.filter { $0 != .reauthentication }
        let token: OneTimeToken?
        var named: User?
        switch proof {
        case .link, .linkToken: token = try spend(link: proof, purposes: purposes)
        case .code(let identifier, let code), .codeOfAccount(let identifier, let code):
            named = try step.tx.user(known: identifier, in: step.directory)
            token = try OneTimeCodeCheck(step).match(
                code, among: candidates(proof, identifier, named, purposes: purposes), address: identifier.email)
        }
        guard let token else { return nil }
        // A wanted address is mostly not that of the user who waits for it.
        let user = try named?.id == token.userID ? named : step.tx.user(token.userID, in: step.directory)
        guard let user, user.deletedAt == nil, ProofEffects.isCurrent(token, for: user) else {
            try record(token.userID, reason: "outdated")
            return nil
        }
        try answered(token, by: user)
        return (token, user)
    }

    /// A message that was answered was wanted, and where its owner did, whatever was guessed at their password until
    /// now keeps them out no longer.
    ///
    /// - Parameter user: as they were when the message was sent.
    private func answered(_ token: OneTimeToken, by user: User) throws {
        let limits = step.ports.limits
        if isOwners(token, user) {
            try limits.forgive(user.id, call: step.call, in: step.tx)
            // Noted in any case: the network that it was answered in is the owner's from now on.
            try Lockouts(step).lift(user.id, by: token.purpose.rawValue, isNoted: token.purpose == .unlock)
        }
        try limits.answered(token, of: user, call: step.call, in: step.tx)
    }

    /// Whether whoever answered is the account's owner, as far as anybody has proved to be: what is wanted only,
    /// whoever has a session may have wanted, and a second address that nobody has proved says nothing of who proved
    /// the first.
    private func isOwners(_ token: OneTimeToken, _ user: User) -> Bool {
        let own: [Recipient] = [user.email.map { .email($0) }, user.phone.map { .phone($0) }].compactMap(\.self)
        return own.contains { $0.address == token.recipient && ($0.isProven(for: user) || !user.isProved) }
    }

    /// The token behind a link, left as it is; `nil` for a code.
    static func look(
        at proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext, in tx: any StoreReading
    ) throws -> OneTimeToken? {
        let text: String
        let isLink: Bool
        switch proof {
        case .link(let token): (text, isLink) = (token, true)
        case .linkToken(let token): (text, isLink) = (token, false)
        case .code, .codeOfAccount: return nil
        }
        guard text.utf8.count <= Self.maximumTokenLength else { return nil }
        func find(_ linkToken: String) throws -> OneTimeToken? {
            try tx.oneTimeToken(linkHash: OneTimeToken.hash(link: linkToken), in: call.directory.id)
        }
        let found: OneTimeToken?
        if let handed = try find(OneTimeToken.linkToken(of: text)) {
            found = handed
        } else {
            let linked = try find(text)
            // Anybody on the way could have read the link: by itself it is worth only what it leads to.
            found = isLink || linked?.codeChallenge == nil ? linked : nil
        }
        guard let found, purposes.contains(found.purpose), found.expiresAt > call.now else { return nil }
        return found
    }

    private func spend(link proof: Proof, purposes: [OneTimeToken.Purpose]) throws -> OneTimeToken? {
        guard let token = try Self.look(at: proof, purposes: purposes, call: step.call, in: step.tx),
            try step.tx.consume(token.id)
        else {
            try record(nil, reason: "unknown_link")
            return nil
        }
        return token
    }

    private func candidates(
        _ proof: Proof, _ identifier: SignInIdentifier, _ user: User?, purposes: [OneTimeToken.Purpose]
    ) throws -> [OneTimeToken] {
        let (directory, tx) = (step.directory, step.tx)
        // A name that is an address takes what was sent to it alone, unless any of the account's addresses was asked
        // for.
        let own: String? = if case .codeOfAccount = proof { nil } else { identifier.ownRecipient?.address }
        var purposes = purposes
        // A text message confirms a sign-up and signs in under one name.
        if case .phone = identifier, purposes.contains(.phoneSignIn), !purposes.contains(.signUpConfirmation) {
            purposes.append(.signUpConfirmation)
        }
        return try purposes.flatMap { purpose -> [OneTimeToken] in
            switch purpose {
            case .emailChangeNew, .phoneChange:
                // One wanted address may be waited for by several users; a name is one user's. Of many the caller's own
                // comes first: however often strangers ask, it is among those that are judged.
                if let own {
                    return try tx.oneTimeTokens(
                        to: own, purpose: purpose, in: directory, askedBy: OneTimeToken.asker(step.call),
                        limit: Self.maximumSharers)
                }
            default: break
            }
            // Asked for nobody too, so that both ways take the same steps.
            let tokens = try tx.oneTimeTokens(
                of: user?.id ?? Nobody.newcomer(step.call).id, purpose: purpose, in: directory)
            return user == nil ? [] : tokens.filter { own == nil || $0.recipient == own }
        }
    }

    private func record(_ user: UserID?, reason: String) throws {
        // Links can't be guessed, so they do not count towards the lock on codes: no user is named.
        var details: JSONObject = ["reason": .string(reason)]
        if let user { details["subject"] = .string(user.rawValue) }
        try step.record(.verificationFailed, user: nil, details: details)
    }
}
