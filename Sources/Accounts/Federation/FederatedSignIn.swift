// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Does what follows from a provider's word, in one transaction. A refusal spends nothing: the app may come again by
/// the same word once its user is signed in, and is given it to keep until then (``sealed(_:call:)``).
public struct FederatedSignIn: Sendable {
    /// What a provider may allow for clocks that differ: a token is remembered for as much longer.
    private static let skew = TimeSpan.minutes(5)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter linking: to whom the identity is to be linked, as their session was authenticated in this call;
    ///   `nil` to sign in.
    /// - Throws: as ``IDTokenSignIn``, without what is said of the provider itself; ``AuthErrorCode/sessionNotFound``
    ///   where the session that links has ended meanwhile.
    public func callAsFunction(
        _ judged: JudgedProof, linkingTo linking: AuthenticatedUser? = nil, policy: FederationPolicy, call: CallContext
    ) async throws -> FederatedOutcome {
        if let linking { try LinkRule(call).require(linking) }
        let outcome: Result<FederatedOutcome, AuthError> = try await ports.write(call) { step in
            let outcome: Result<FederatedOutcome, AuthError>
            if let linking {
                try AssuranceRule(step).require(linking)
                let holder = try LinkRule.holder(linking.user.id, linking.session?.id, since: call.now, step)
                let former = try linking.session.flatMap {
                    try policy.replacesSession ? SessionEnding(step).replace($0.id) : nil
                }
                let account = FederatedAccount(step, judged.provider, judged.proof, policy, former: former)
                outcome = .success(try account.link(to: holder))
            } else {
                outcome = try FederatedAccount(step, judged.provider, judged.proof, policy).signIn()
            }
            if case .success = outcome { try Self.spend(judged, step) }
            return outcome
        }
        return try outcome.get()
    }

    /// - Throws: ``AuthErrorCode/identityTokenInvalid`` for one that was used: thrown, so that nothing stays.
    private static func spend(_ judged: JudgedProof, _ step: FlowStep) throws {
        guard let nonce = judged.nonce else { return }
        let expiry = (judged.expiresAt ?? step.now + .hours(24)) + skew
        guard try step.tx.spend(nonce, in: step.directory, until: expiry) else {
            throw AuthError(.identityTokenInvalid, reason: "it was used before")
        }
    }

    // MARK: For the next call

    /// The proof as the app carries it to its next call, for ten minutes and for one use. The provider's tokens are not
    /// in it.
    ///
    /// - Throws: ``AuthErrorCode/flowStateExpired`` for a proof that is worth nothing any more.
    public func sealed(_ judged: JudgedProof, call: CallContext) throws(AuthError) -> String {
        try SealedProof(judged, at: call.now, random: ports.random).sealed(in: call.directory, random: ports.random)
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given here, or was used;
    ///   ``AuthErrorCode/flowStateExpired``; ``AuthErrorCode/identityProviderNotFound``,
    ///   ``AuthErrorCode/identityProviderDisabled`` where the provider is not to be used meanwhile.
    public func opened(_ text: String, call: CallContext) async throws -> JudgedProof {
        let sealed = try SealedProof(text, call: call)
        return try await ports.store.read { tx in
            guard try !tx.isSpent(sealed.nonce, in: call.directory.id) else { throw AuthError(.flowStateNotFound) }
            let provider = try ConfiguredProviders(tx, ports, in: call.directory.id).usable(sealed.proof.provider)
            // Of whoever stands under the name now: their word, and nobody's before them.
            guard provider.id == sealed.providerID,
                provider.kind != .openID || provider.issuer == sealed.proof.issuer
            else { throw AuthError(.flowStateNotFound) }
            return try JudgedProof(sealed.proof, of: provider, nonce: sealed.nonce, expiresAt: sealed.proof.expiresAt)
        }
    }
}
