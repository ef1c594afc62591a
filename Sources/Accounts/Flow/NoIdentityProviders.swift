// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The way to identity providers of a program that has none: commands, and tests of what is about nobody else.
struct NoIdentityProviders: IdentityProviding {
    private static var refusal: AuthError {
        AuthError(.identityProviderDisabled, reason: "this program reaches no identity providers")
    }

    func authorization(
        _: UpstreamRequest, at _: IdentityProvider
    ) async throws(AuthError) -> String { throw Self.refusal }

    func requireAnswer(by _: String, at _: IdentityProvider) async throws(AuthError) { throw Self.refusal }

    func redeem(
        _: UpstreamAnswer, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> FederatedProof { throw Self.refusal }

    func judge(
        _: UpstreamIDToken, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> FederatedProof { throw Self.refusal }

    func inspect(_: UpstreamIDToken, at _: IdentityProvider, now _: Instant) throws(AuthError) { throw Self.refusal }

    func judge(
        accessToken _: Secret<String>, at _: IdentityProvider
    ) async throws(AuthError) -> FederatedProof { throw Self.refusal }

    func events(
        _: [UInt8], at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> [UpstreamEvent] { throw Self.refusal }

    func refresh(
        _: Secret<String>, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> UpstreamTokens { throw Self.refusal }

    func revoke(
        _: UpstreamTokens, of _: String, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) { throw Self.refusal }
}
