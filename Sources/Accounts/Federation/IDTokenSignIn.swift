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
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - provider: ``IdentityProvider/name``.
    ///   - linking: to whom the identity is to be linked, as their session was authenticated in this call; `nil` to
    ///     sign in.
    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``,
    ///   ``AuthErrorCode/identityProviderUnavailable``, ``AuthErrorCode/identityTokenInvalid`` also for a token that
    ///   was used; ``AuthErrorCode/identityEmailMissing``, ``AuthErrorCode/needsConfirmation``,
    ///   ``AuthErrorCode/signUpDisabled``, ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/metadataTooLarge``; to link, ``AuthErrorCode/identityAlreadyLinked``,
    ///   ``AuthErrorCode/reauthenticationNeeded``, ``AuthErrorCode/emailNotVerified``.
    public func callAsFunction(
        _ credential: UpstreamCredential, of provider: String, linkingTo linking: AuthenticatedUser? = nil,
        policy: FederationPolicy, call: CallContext
    ) async throws -> FederatedOutcome {
        try await self(
            credential, of: try await IdentityProviders(ports).usable(provider, in: call.directory.id),
            linkingTo: linking, policy: policy, call: call)
    }

    /// The same, for who has looked the provider up in this call.
    ///
    /// - Parameter provider: as ``IdentityProviders/usable(_:in:)`` has found it.
    /// - Throws: as by its name, but for what is said of providers that are not there.
    public func callAsFunction(
        _ credential: UpstreamCredential, of provider: IdentityProvider, linkingTo linking: AuthenticatedUser? = nil,
        policy: FederationPolicy, call: CallContext
    ) async throws -> FederatedOutcome {
        if let linking { try LinkRule(call).require(linking) }
        let judged = try await judged(credential, of: provider, call: call)
        return try await FederatedSignIn(ports)(judged, linkingTo: linking, policy: policy, call: call)
    }

    /// The judgement alone, for ``FederatedSignIn``.
    ///
    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``,
    ///   ``AuthErrorCode/identityProviderUnavailable``, ``AuthErrorCode/identityTokenInvalid``.
    public func judged(
        _ credential: UpstreamCredential, of provider: String, call: CallContext
    ) async throws -> JudgedProof {
        try await judged(
            credential, of: try await IdentityProviders(ports).usable(provider, in: call.directory.id), call: call)
    }

    private func judged(
        _ credential: UpstreamCredential, of provider: IdentityProvider, call: CallContext
    ) async throws -> JudgedProof {
        let proof = try await judge(credential, at: provider, call)
        return try JudgedProof(proof, of: provider, nonce: Self.nonce(of: credential), expiresAt: proof.expiresAt)
    }

    private func judge(
        _ credential: UpstreamCredential, at provider: IdentityProvider, _ call: CallContext
    ) async throws -> FederatedProof {
        switch credential {
        case .idToken(let token):
            try await ports.identityProviders.judge(token, at: provider, now: call.now)
        case .accessToken(let token):
            try await ports.identityProviders.judge(accessToken: token, at: provider)
        }
    }

    /// By which a token is taken once; `nil` for an access token, which may be shown again.
    private static func nonce(of credential: UpstreamCredential) -> [UInt8]? {
        guard case .idToken(let token) = credential else { return nil }
        // Without the signature, which may be written in more than one way.
        let text = token.text.reveal()
        let signed = text.utf8.lastIndex(of: UInt8(ascii: ".")).map { text[..<$0] } ?? text[...]
        return Array(SHA256.hash(data: Array("latchkey id token 1\0".utf8) + Array(signed.utf8)))
    }
}
