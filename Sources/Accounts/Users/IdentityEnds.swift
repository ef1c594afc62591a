// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What has ended of what providers' users were here by: an identity that was unlinked, an account that was deleted, a
/// consent that was taken back. What a provider said before that, and what waited, brings it back no more (H-8); what
/// it says afterwards does, as ever.
///
/// It is noted in the transaction that ends it, by a hash under the Directory's key: of somebody who has gone nothing
/// else stays. An identity is one of its provider as it is named here, whatever issuer it had.
struct IdentityEnds {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    func note(_ identity: Identity) throws {
        guard !LocalIdentities.isLocal(identity) else { return }
        try note(identity.subject, of: identity.provider)
    }

    /// - Parameter subject: of somebody who need not be known here.
    func note(_ subject: String, of provider: String) throws {
        let key = key(provider, subject)
        let former = try step.tx.identityEnd(key, in: step.directory)
        try step.tx.noteIdentityEnd(key, in: step.directory, at: former.map { step.now.orLater($0) } ?? step.now)
    }

    /// Of an account that is deleted: by its address it would be found, and made anew.
    func note(addressOf user: User) throws {
        guard let email = user.email else { return }
        try note(email.rawValue, of: LocalIdentities.email)
    }

    /// Whether the user of a proof has gone since it was received.
    ///
    /// - Parameter isKnown: whether somebody has the identity now. By the address only strangers are found.
    func hasEnded(_ proof: FederatedProof, since moment: Instant, isKnown: Bool) throws -> Bool {
        var keys = [key(proof.provider, proof.subject)]
        if !isKnown, let email = proof.email { keys.append(key(LocalIdentities.email, email.rawValue)) }
        // What a clock that was set back has left ahead says nothing.
        return try keys.contains { key in
            let end = try step.tx.identityEnd(key, in: step.directory)
            return end.map { $0 >= moment && !$0.liesAhead(of: step.now) } ?? false
        }
    }

    private func key(_ provider: String, _ subject: String) -> [UInt8] {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array("identity end\u{0}\(provider)\u{0}\(subject)".utf8),
            using: SymmetricKey(data: step.call.directory.tokenKey.reveal()))
        return Array(mac.prefix(16))
    }
}
