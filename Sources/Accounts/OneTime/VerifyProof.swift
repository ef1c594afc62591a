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
    /// The code was typed by hand, and it went to an address of the account's that need not be the name given: by a
    /// text message to whoever named themselves by their mail address.
    case codeOfAccount(SignInIdentifier, String)
}

public enum VerifyOutcome: Sendable {
    case signedIn(SignInStep)
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

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter purposes: What the proof may be for, as the caller's request names it. Reauthentication is not
    ///   among what is accepted here: see ``OneTimeCodeCheck``.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``; after a right proof ``AuthErrorCode/userBanned``, and
    ///   ``AuthErrorCode/emailExists`` or ``AuthErrorCode/phoneExists`` when the wanted address became another's.
    public func callAsFunction(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext
    ) async throws -> VerifyOutcome {
        // A refusal must be committed with the attempt it counts, so it leaves the transaction as a value.
        let outcome: Result<VerifyOutcome, AuthError>? = try await ports.write(call) { step in
            guard let (token, user) = try SpentProof(step).take(proof, purposes: purposes) else { return nil }
            return try Self.outcome(of: proof, token, user, step)
        }
        guard let outcome else { throw AuthError(.oneTimeTokenInvalid) }
        return try outcome.get()
    }

    private static func outcome(
        of proof: Proof, _ token: OneTimeToken, _ user: User, _ step: FlowStep
    ) throws -> Result<VerifyOutcome, AuthError> {
        // Thrown, so that nothing is confirmed and nothing spent for an account that may not be used.
        try step.call.requireUsable(user)
        let (verified, isHalfConfirmed) = try ProofEffects(step).apply(token, to: user)
        // What a program has said of the sign-up that was answered stays, for whoever may lift it to see.
        if let refusal = step.call.refusal(of: verified) { return .failure(AuthError(refusal)) }
        if isHalfConfirmed { return .success(.halfConfirmed(try UserRecord(verified, step.tx))) }
        if case .link = proof, let challenge = token.codeChallenge {
            let code = try authorizationCode(for: verified, challenge: challenge, token, step)
            return .success(.authorizationCode(code, token.purpose))
        }
        let proof = SignInProof(.oneTimeCode, answeredAt: token.recipient, step.call)
        return .success(.signedIn(try SessionIssuer(step).conclude(proof, of: verified, .stored).get()))
    }

    private static func authorizationCode(
        for user: User, challenge: CodeChallenge, _ token: OneTimeToken, _ step: FlowStep
    ) throws -> String {
        let code = Base64URL.encode(step.random.bytes(32))
        try step.tx.insert(
            AuthorizationCode(
                id: step.identifier(), directoryID: step.directory, userID: user.id,
                codeHash: OneTimeToken.hash(link: code),
                request: AuthorizationRequest(clientID: step.call.client?.id, challenge: challenge),
                methods: [AuthenticationMethod(token.purpose.method, answeredAt: token.recipient, step.call)],
                createdAt: step.now,
                expiresAt: step.now + .seconds(step.settings.oneTime.authorizationCodeLifetime)))
        return code
    }
}
