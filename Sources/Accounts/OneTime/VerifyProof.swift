// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What somebody shows to prove that a message reached them.
public enum Proof: Sendable {
    /// The link was opened in a browser. When its request used PKCE, an authorization code comes of it, since anybody
    /// on the way could have read the link.
    case link(token: String)
    /// An app or a page of the operator's hands over the token hash of a message, or the token of a link. The latter
    /// counts only where its request did not use PKCE: whoever read the link must not get round the verifier.
    case linkToken(String)
    /// The code was typed by hand.
    case code(SignInIdentifier, String)
}

public enum VerifyOutcome: Sendable {
    case session(IssuedSession)
    /// To be exchanged through ``ExchangeCode`` by whoever asked for the link; it was asked for this purpose.
    case authorizationCode(String, OneTimeToken.Purpose)
    /// One address agreed to the change; the other has still to.
    case halfConfirmed(UserRecord)
}

/// Accepts a link or a code, does what it stands for, and signs the user in.
///
/// Wrong, expired, spent and unknown proofs, of known and unknown people, give one error at one cost.
public struct VerifyProof: Sendable {
    private let ports: AccountPorts
    private let effects: ProofEffects

    public init(_ ports: AccountPorts) {
        self.ports = ports
        effects = ProofEffects(ports)
    }

    /// - Parameter purposes: What the proof may be for, as the caller's request names it. Reauthentication is not
    ///   among what is accepted here: see ``OneTimeCodeCheck``.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``; after a right proof ``AuthErrorCode/userBanned``, and
    ///   ``AuthErrorCode/emailExists`` or ``AuthErrorCode/phoneExists`` when the wanted address became another's.
    public func callAsFunction(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext
    ) async throws -> VerifyOutcome {
        do {
            // A refusal must be committed with the attempt it counts, so it leaves the transaction as a value.
            let outcome = try await ports.store.write { tx in
                try verify(proof, purposes: purposes, call: call, in: tx)
            }
            guard let outcome else { throw AuthError(.oneTimeTokenInvalid) }
            SpentProof.answered(outcome.token, by: outcome.before, ports, call: call)
            return outcome.verified
        } catch let conflict as StoreConflict where conflict.isOfAddress {
            throw AuthError(taken: conflict)
        }
    }

    private func verify(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext, in tx: any StoreWriting
    ) throws -> (token: OneTimeToken, before: User, verified: VerifyOutcome)? {
        guard let (token, user) = try SpentProof(ports).take(proof, purposes: purposes, call: call, in: tx) else {
            return nil
        }
        return (token, user, try outcome(of: proof, token, user, call: call, in: tx))
    }

    private func outcome(
        of proof: Proof, _ token: OneTimeToken, _ user: User, call: CallContext, in tx: any StoreWriting
    ) throws -> VerifyOutcome {
        // Thrown, so that nothing is confirmed and nothing spent for an account that may not be used.
        guard !user.isBanned(at: call.now) else { throw AuthError(.userBanned) }
        guard let verified = try effects.apply(token, to: user, call: call, in: tx) else {
            return .halfConfirmed(try UserRecord(of: user.id, in: call.directory.id, tx))
        }
        if case .link = proof, let challenge = token.codeChallenge {
            return .authorizationCode(
                try authorizationCode(for: verified, challenge: challenge, purpose: token.purpose, call: call, in: tx),
                token.purpose)
        }
        return .session(
            try SessionIssuer(random: ports.random).issue(for: verified, by: .oneTimeCode, call: call, in: tx))
    }

    private func authorizationCode(
        for user: User, challenge: String, purpose: OneTimeToken.Purpose, call: CallContext, in tx: any StoreWriting
    ) throws -> String {
        let code = Base64URL.encode(ports.random.bytes(32))
        try tx.insert(
            AuthorizationCode(
                id: ports.random.identifier(at: call.now), directoryID: call.directory.id, userID: user.id,
                codeHash: OneTimeToken.hash(link: code), codeChallenge: challenge, method: purpose.method,
                createdAt: call.now,
                expiresAt: call.now + .seconds(call.settings.oneTime.authorizationCodeLifetime)))
        return code
    }
}
