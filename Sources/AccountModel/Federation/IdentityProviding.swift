// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The way to other people's identity providers, whom the flows reach by nothing else. Everything that comes back is
/// bounded in time, size and number, and nothing is believed that a provider's own configuration does not say.
///
/// All throw ``AuthErrorCode/identityProviderUnavailable`` where the provider is down, slow, busy or answers what is no
/// answer, and ``AuthErrorCode/identityProviderDisabled`` where its configuration does not have what the call needs.
public protocol IdentityProviding: Sendable {
    /// The URL that a browser is sent to (RFC 6749, section 4.1.1; OpenID Connect Core, section 3.1.2.1).
    func authorization(
        _ request: UpstreamRequest, at provider: IdentityProvider
    ) async throws(AuthError) -> String

    /// Looks at whose answer a browser has brought, where it has brought no code (RFC 9207, section 2.4): an error may
    /// be another provider's as well.
    ///
    /// - Parameter issuer: the `iss` parameter. Of an error without it nothing is asked: some providers that name
    ///   themselves do so beside a code alone.
    /// - Throws: ``AuthErrorCode/identityTokenInvalid`` for one that names another.
    func requireAnswer(by issuer: String, at provider: IdentityProvider) async throws(AuthError)

    /// Exchanges a code, judges what comes back, and asks for the profile where there is one.
    ///
    /// - Throws: ``AuthErrorCode/identityProviderRefused`` for a code that the provider does not take,
    ///   ``AuthErrorCode/identityTokenInvalid`` for a proof that is not good.
    func redeem(
        _ answer: UpstreamAnswer, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> FederatedProof

    /// Judges an ID token that an app was given by the provider's own SDK.
    ///
    /// - Throws: ``AuthErrorCode/identityTokenInvalid``.
    func judge(
        _ token: UpstreamIDToken, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> FederatedProof

    /// Looks at an ID token as far as that goes without asking the provider anything: whether it could be one of its
    /// tokens for this app at all. One that passes is not judged by that.
    ///
    /// - Throws: ``AuthErrorCode/identityTokenInvalid`` for one that no key would make good.
    func inspect(_ token: UpstreamIDToken, at provider: IdentityProvider, now: Instant) throws(AuthError)

    /// Judges an access token of a provider that has no ID tokens: one that was given to another app is refused. The
    /// provider is asked, and says itself whether it is good still.
    ///
    /// - Throws: ``AuthErrorCode/identityTokenInvalid``.
    func judge(
        accessToken: Secret<String>, at provider: IdentityProvider
    ) async throws(AuthError) -> FederatedProof

    /// Judges what a provider says of its own accord: Apple's notifications, Google's security events (RFC 8417).
    ///
    /// - Parameter notification: the body of the provider's request.
    /// - Throws: ``AuthErrorCode/identityTokenInvalid``, with an ``UpstreamEvent/Fault`` for its field where one says
    ///   it.
    func events(
        _ notification: [UInt8], at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> [UpstreamEvent]

    /// Renews a grant, or asks whether it stands where the provider renews none (GitHub: the token is an access token,
    /// which lasts).
    ///
    /// - Throws: ``AuthErrorCode/identityProviderRefused`` where the provider says that there is no such grant any more
    ///   (`invalid_grant`): the user has taken it back.
    func refresh(
        _ token: Secret<String>, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> UpstreamTokens

    /// Takes a grant back (RFC 7009, or the provider's own way). Of one that the provider does not know nothing is
    /// said.
    ///
    /// - Parameter subject: whose it was.
    func revoke(
        _ tokens: UpstreamTokens, of subject: String, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError)
}
