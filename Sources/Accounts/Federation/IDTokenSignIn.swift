// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What an app was given by a provider's own SDK.
public enum UpstreamCredential: Sendable {
    case idToken(UpstreamIDToken)
    /// Of providers that have no ID tokens.
    case accessToken(Secret<String>)
}

/// Signs in by what an app brings along from a provider's own SDK, or links it to whoever is signed in. An ID token is
/// taken once.
public struct IDTokenSignIn: Sendable {
    /// What a provider may allow for clocks that differ: a token is remembered for as much longer.
    private static let skew = Span.minutes(5)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - provider: ``IdentityProvider/name``.
    ///   - linking: to whom the identity is to be linked, as their session was authenticated in this call; `nil` to sign
    ///     in.
    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``,
    ///   ``AuthErrorCode/identityProviderUnavailable``, ``AuthErrorCode/identityTokenInvalid`` also for a token that was
    ///   used; ``AuthErrorCode/identityEmailMissing``, ``AuthErrorCode/needsConfirmation``,
    ///   ``AuthErrorCode/signUpDisabled``, ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/metadataTooLarge``; to link, ``AuthErrorCode/identityAlreadyLinked``,
    ///   ``AuthErrorCode/reauthenticationNeeded``, ``AuthErrorCode/emailNotVerified``.
    public func callAsFunction(
        _ credential: UpstreamCredential, of provider: String, linkingTo linking: AuthenticatedUser? = nil,
        policy: FederationPolicy, call: CallContext
    ) async throws -> FederatedOutcome {
        if let linking { try LinkRule(call).require(linking) }
        let provider = try await IdentityProviders(ports).usable(provider, in: call.directory.id)
        let proof = try await judge(credential, at: provider, call)
        try JudgedProof.require(proof, of: provider)
        let outcome: Result<FederatedOutcome, AuthError> = try await ports.write(call) { step in
            let account = FederatedAccount(step, provider, proof, policy)
            let outcome: Result<FederatedOutcome, AuthError>
            if let linking {
                outcome = .success(try account.link(to: try step.tx.liveUser(linking.user.id, in: step.directory)))
            } else {
                outcome = try account.signIn()
            }
            // What is refused spends nothing: the app may link by it once its user has signed in.
            if case .success = outcome { try Self.spend(credential, proof, step) }
            return outcome
        }
        return try outcome.get()
    }

    private func judge(
        _ credential: UpstreamCredential, at provider: IdentityProvider, _ call: CallContext
    ) async throws -> FederatedProof {
        switch credential {
        case .idToken(let token):
            try await ports.identityProviders.judge(token, at: provider, now: call.now)
        case .accessToken(let token):
            try await ports.identityProviders.judge(accessToken: token, at: provider, now: call.now)
        }
    }

    /// - Throws: ``AuthErrorCode/identityTokenInvalid`` for one that was used: thrown, so that nothing stays.
    private static func spend(_ credential: UpstreamCredential, _ proof: FederatedProof, _ step: FlowStep) throws {
        guard case .idToken(let token) = credential else { return }
        // Without the signature, which may be written in more than one way.
        let text = token.text.reveal()
        let signed = text.utf8.lastIndex(of: UInt8(ascii: ".")).map { text[..<$0] } ?? text[...]
        let nonce = Array(SHA256.hash(data: Array("latchkey id token 1\0".utf8) + Array(signed.utf8)))
        let expiry = (proof.expiresAt ?? step.now + .hours(24)) + skew
        guard try step.tx.spend(nonce, in: step.directory, until: expiry) else {
            throw AuthError(.identityTokenInvalid, reason: "it was used before")
        }
    }
}
