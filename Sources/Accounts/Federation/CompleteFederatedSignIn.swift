// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a browser comes back from a provider with (RFC 6749, section 4.1.2).
public struct UpstreamReturn: Sendable {
    public var code: Secret<String>?
    /// The provider's own error, such as `access_denied`.
    public var error: String?
    /// The `iss` parameter (RFC 9207).
    public var issuer: String?
    /// Apple's `user` form field.
    public var user: String?

    public init(code: Secret<String>? = nil, error: String? = nil, issuer: String? = nil, user: String? = nil) {
        self.code = code
        self.error = error
        self.issuer = issuer
        self.user = user
    }
}

/// Takes what a browser comes back from an identity provider with. In two steps, since only what it was sent away with
/// says how the dialect goes on, and where its errors belong.
public struct CompleteFederatedSignIn: Sendable {
    private static let maximumLength = 2048

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whose Directory's browser was sent away with a state; `nil` for a state that nobody knows. Nothing else is said
    /// of it, nor is it used up: for the places of ours that serve several Directories.
    public func directory(ofState state: String) async throws -> DirectoryID? {
        guard (1...Self.maximumLength).contains(state.utf8.count) else { return nil }
        let hash = PendingFederation.hash(of: state)
        return try await ports.store.read { try $0.pendingFederation(stateHash: hash) }?.directoryID
    }

    /// What the browser was sent away with. A failure is for a page and goes nowhere else: nobody knows who sent whom.
    ///
    /// - Parameter binding: as this browser has it; `nil` where it has none.
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for a state that is not known, was used, or is another browser's,
    ///   dialect's or Directory's, ``AuthErrorCode/flowStateExpired``.
    public func pending(
        state: String, binding: [UInt8]?, call: CallContext
    ) async throws -> PendingFederation {
        let hash = PendingFederation.hash(of: state.utf8.count <= Self.maximumLength ? state : "")
        let found = try await ports.store.read { try $0.pendingFederation(stateHash: hash) }
        guard let found, found.directoryID == call.directory.id, found.dialect == call.dialect, found.usedAt == nil,
            let binding, constantTimeEqual(found.binding, binding)
        else { throw AuthError(.flowStateNotFound) }
        guard call.now < found.expiresAt else { throw AuthError(.flowStateExpired) }
        return found
    }

    /// Spends it, asks the provider, and does what follows. Whatever comes of it, the state is worth nothing
    /// afterwards.
    ///
    /// - Parameter pending: what ``pending(state:binding:call:)`` gave in the same call.
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` where another call was first; what the app is to be told:
    ///   ``AuthErrorCode/identityProviderRefused`` where the user or the provider said no,
    ///   ``AuthErrorCode/identityProviderUnavailable``, ``AuthErrorCode/identityProviderDisabled``,
    ///   ``AuthErrorCode/identityTokenInvalid``, ``AuthErrorCode/invalidRequest`` for an answer that is both or
    ///   neither, and as ``IDTokenSignIn``.
    public func callAsFunction(
        _ answer: UpstreamReturn, to pending: PendingFederation, policy: FederationPolicy, call: CallContext
    ) async throws -> FederatedOutcome {
        let judged = try await judged(answer, to: pending, call: call)
        let outcome: Result<FederatedOutcome, AuthError> = try await ports.write(call) { step in
            let account = FederatedAccount(step, judged.provider, judged.proof, policy)
            guard let user = pending.linksTo else { return try account.signIn() }
            // Once more: a factor may have been set up while the browser was away.
            try AssuranceRule(step).require(user, in: pending.session)
            return .success(
                try account.link(to: try LinkRule.holder(user, pending.session, since: pending.createdAt, step)))
        }
        return try outcome.get()
    }

    /// The judgement alone, for ``FederatedSignIn``: for dialects whose app brings the answer itself.
    ///
    /// - Throws: as ``callAsFunction(_:to:policy:call:)``, up to the proof.
    public func judged(
        _ answer: UpstreamReturn, to pending: PendingFederation, call: CallContext
    ) async throws -> JudgedProof {
        // Before the provider is asked: a code is redeemed once, whoever else has it.
        guard try await ports.store.write({ try $0.use(pending.id, at: call.now) }) else {
            throw AuthError(.flowStateNotFound)
        }
        let code = try Self.code(of: answer)
        let provider = try await IdentityProviders(ports).usable(pending.provider, in: call.directory.id)
        guard provider.id == pending.providerID, provider.issuer == pending.issuer else {
            throw AuthError(.identityProviderDisabled, reason: "it was configured anew meanwhile")
        }
        guard let code else {
            // First whose word it is, as with a code: what another says of itself is not this provider's error.
            if let issuer = answer.issuer {
                try await ports.identityProviders.requireAnswer(by: issuer, at: provider)
            }
            throw Self.refusal(answer.error)
        }
        let proof = try await ports.identityProviders.redeem(
            UpstreamAnswer(
                code: code, verifier: pending.verifier, nonce: pending.nonce, redirectURI: pending.redirectURI,
                issuer: answer.issuer, user: answer.user), at: provider, now: call.now)
        return try JudgedProof(proof, of: provider, expiresAt: proof.expiresAt)
    }

    /// `nil` for an answer that is an error.
    private static func code(of answer: UpstreamReturn) throws(AuthError) -> Secret<String>? {
        switch (answer.code, answer.error) {
        case (let code?, nil):
            guard (1...maximumLength).contains(code.reveal().utf8.count) else {
                throw AuthError(.invalidRequest, field: "code")
            }
            return code
        case (nil, _?): return nil
        case (nil, nil), (_?, _?): throw AuthError(.invalidRequest, reason: "a code or an error", field: "code")
        }
    }

    private static func refusal(_ error: String?) -> AuthError {
        switch error {
        case "temporarily_unavailable", "server_error":
            AuthError(.identityProviderUnavailable, reason: "the provider says so")
        default: AuthError(.identityProviderRefused)
        }
    }
}
