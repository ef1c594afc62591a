// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Identity providers that vouch for whomever a test says, in place of the way to them: what flows and dialects do with
/// a word is seen without anybody's network.
public final class ScriptedIdentityProviders: IdentityProviding {
    private struct State {
        var words: [String: Result<FederatedProof, AuthError>] = [:]
        var requests: [UpstreamRequest] = []
        var answers: [UpstreamAnswer] = []
        var events: [UpstreamEvent] = []
        var revoked: [String] = []
        var refreshes: [String: AuthError] = [:]
        var failure: AuthError?
        var eventFailure: AuthError?
        var foreign: Set<String> = []
        var judgedAt: [Instant] = []
    }

    private let state = Mutex(State())
    /// Awaited within each question that would go over the network.
    private let delay: @Sendable () async -> Void

    public init(delay: @escaping @Sendable () async -> Void = {}) {
        self.delay = delay
    }

    // MARK: What tests say

    /// From now on `text`, a code, an ID token or an access token, proves this.
    public func vouch(_ proof: FederatedProof, by text: String) {
        state.withLock { $0.words[text] = .success(proof) }
    }

    /// From now on `text` is refused so.
    public func refuse(_ text: String, with code: AuthErrorCode, field: String? = nil) {
        state.withLock { $0.words[text] = .failure(AuthError(code, field: field)) }
    }

    /// From now on an error that names `issuer` is none of whoever is asked about it.
    public func disown(issuer: String) { state.withLock { _ = $0.foreign.insert(issuer) } }

    /// From now on every question is answered so; `nil` for as before.
    public func fail(with code: AuthErrorCode?) { state.withLock { $0.failure = code.map { AuthError($0) } } }

    /// What the next notification says.
    public func announce(_ events: [UpstreamEvent]) { state.withLock { $0.events = events } }

    /// From now on notifications are refused so.
    public func refuseEvents(with error: AuthError?) { state.withLock { $0.eventFailure = error } }

    /// From now on a grant is refused so when it is renewed.
    public func refuse(refresh token: String, with code: AuthErrorCode) {
        state.withLock { $0.refreshes[token] = AuthError(code) }
    }

    // MARK: What tests see

    public var requests: [UpstreamRequest] { state.withLock { $0.requests } }
    public var answers: [UpstreamAnswer] { state.withLock { $0.answers } }
    /// As of when tokens were judged.
    public var judgedAt: [Instant] { state.withLock { $0.judgedAt } }
    public var revoked: [String] { state.withLock { $0.revoked } }

    // MARK: What flows ask

    public func authorization(
        _ request: UpstreamRequest, at provider: IdentityProvider
    ) async throws(AuthError) -> String {
        try check()
        state.withLock { $0.requests.append(request) }
        return "https://\(provider.name).example/authorize?state=\(request.state)&nonce=\(request.nonce)"
            + "&code_challenge=\(request.challenge.rawValue)&code_challenge_method=S256"
    }

    public func requireAnswer(by issuer: String, at _: IdentityProvider) async throws(AuthError) {
        try check()
        await delay()
        if state.withLock({ $0.foreign.contains(issuer) }) { throw AuthError(.identityTokenInvalid) }
    }

    public func redeem(
        _ answer: UpstreamAnswer, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> FederatedProof {
        try check()
        await delay()
        state.withLock { $0.answers.append(answer) }
        return try word(answer.code.reveal(), unknown: .identityProviderRefused)
    }

    public func judge(
        _ token: UpstreamIDToken, at _: IdentityProvider, now: Instant
    ) async throws(AuthError) -> FederatedProof {
        state.withLock { $0.judgedAt.append(now) }
        try check()
        await delay()
        return try word(token.text.reveal(), unknown: .identityTokenInvalid)
    }

    public func inspect(_ token: UpstreamIDToken, at _: IdentityProvider, now _: Instant) throws(AuthError) {
        if case .failure(let error) = state.withLock({ $0.words[token.text.reveal()] }) { throw error }
    }

    public func judge(
        accessToken: Secret<String>, at _: IdentityProvider
    ) async throws(AuthError) -> FederatedProof {
        try check()
        await delay()
        return try word(accessToken.reveal(), unknown: .identityTokenInvalid)
    }

    public func events(
        _: [UInt8], at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> [UpstreamEvent] {
        try check()
        if let failure = state.withLock({ $0.eventFailure }) { throw failure }
        return state.withLock { $0.events }
    }

    public func refresh(
        _ token: Secret<String>, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) -> UpstreamTokens {
        try check()
        if let refusal = state.withLock({ $0.refreshes[token.reveal()] }) { throw refusal }
        return UpstreamTokens(refresh: token)
    }

    public func revoke(
        _ tokens: UpstreamTokens, of subject: String, at _: IdentityProvider, now _: Instant
    ) async throws(AuthError) {
        try check()
        let shown = [tokens.refresh, tokens.access].compactMap { $0?.reveal() }
        state.withLock { $0.revoked += shown.isEmpty ? ["all of " + subject] : shown }
    }

    private func check() throws(AuthError) {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func word(_ text: String, unknown: AuthErrorCode) throws(AuthError) -> FederatedProof {
        guard let word = state.withLock({ $0.words[text] }) else { throw AuthError(unknown) }
        return try word.get()
    }
}
