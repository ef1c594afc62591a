// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Turns an authorization code into a session, for whoever knows the verifier behind the challenge (RFC 7636,
/// section 4.6). The code is spent by the first attempt, right or wrong; a second use also ends the session that the
/// first one got (RFC 6749, section 4.1.2; OWASP ASVS 10.4.2).
public struct ExchangeCode: Sendable {
    /// Where a dialect's clients exchange codes otherwise than RFC 6749 has it.
    public struct Terms: Sendable {
        /// Whether the session goes on without the one that the code was asked for in, whatever scopes were.
        public var isOffline: Bool
        /// Whether an exchange that proves its challenge need not say again where the code was sent (OAuth 2.1, section 4.1.3).
        public var mayOmitRedirectURI: Bool
        /// Whom the exchange says that the token is for: at most those of the request (RFC 8707, section 2.2).
        public var resources: [String]

        /// Whether those only bind the code to the exchange, and open nothing: they may then be any.
        public var bindsResources: Bool

        public init(
            isOffline: Bool = false, mayOmitRedirectURI: Bool = false, resources: [String] = [],
            bindsResources: Bool = false
        ) {
            self.bindsResources = bindsResources
            self.isOffline = isOffline
            self.mayOmitRedirectURI = mayOmitRedirectURI
            self.resources = resources
        }

        /// What an operator has taken from the client since the user was asked is not given; `nil` where nothing is left.
        fileprivate func held(_ request: AuthorizationRequest, by client: Client?) -> AuthorizationRequest? {
            guard let registered = client?.settings.authorization else { return request }
            let asked = ClientGrant(scopes: request.scopes, resources: bindsResources ? [] : request.resources)
            guard let grant = registered.held(asked) else { return nil }
            var held = request
            held.scopes = grant.scopes
            if !bindsResources { held.resources = grant.resources }
            return held
        }

        fileprivate func place(_ given: String?, of request: AuthorizationRequest) -> String? {
            given == nil && mayOmitRedirectURI && request.challenge != nil ? request.redirectURI : given
        }
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - verifier: demanded where the request had a challenge, and refused where it had none.
    ///   - redirectURI: where the exchange says that the code was sent (RFC 6749, section 4.1.3).
    ///   - dpopKey: the thumbprint of the key that the exchange proved to have (RFC 9449, section 5).
    ///   - terms: where a dialect's clients exchange otherwise than the standard has it.
    /// - Returns: a session with ``IssuedSession/request``: what the code was asked for.
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for an unknown or used code, for one that another client was given, for
    ///   one whose browser session has ended meanwhile, and for one of which the client may be given nothing any more, ``AuthErrorCode/flowStateExpired``,
    ///   ``AuthErrorCode/codeVerifierMismatch``, also for another key than the request named, ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        code: String, verifier: String?, redirectURI: String? = nil, dpopKey: String? = nil, terms: Terms = Terms(),
        call: CallContext
    ) async throws -> SignInStep {
        try await exchange(code, verifier, redirectURI, dpopKey, terms, call) { $0 }
    }

    /// As calling this, for what is made of the session, such as its tokens. `make` begins when it is known what the session
    /// is, and goes on while that is made durable; before it is, nobody is given what came of it.
    ///
    /// - Parameter make: has no effect: what it made for a session that could not be kept is thrown away.
    /// - Throws: as calling this; what ``SignInStep/session()`` throws, and what `make` does.
    public func callAsFunction<Made: Sendable>(
        code: String, verifier: String?, redirectURI: String? = nil, dpopKey: String? = nil, terms: Terms = Terms(),
        call: CallContext, making make: @escaping @Sendable (IssuedSession) async throws -> Made
    ) async throws -> Made {
        try await exchange(code, verifier, redirectURI, dpopKey, terms, call) { next in
            Task { try await make(try next.session()) }
        }.value
    }

    /// - Parameter begin: called in the transaction with what it came to.
    private func exchange<Begun: Sendable>(
        _ code: String, _ verifier: String?, _ redirectURI: String?, _ dpopKey: String?, _ terms: Terms,
        _ call: CallContext, _ begin: @escaping @Sendable (SignInStep) -> Begun
    ) async throws -> Begun {
        // A refusal must be committed with what it ends, so it leaves the transaction as a value.
        let outcome: Result<Begun, AuthError> = try await ports.write(call) { step in
            let tx = step.tx
            guard let presented = try PresentedCode(code, step) else {
                return .failure(try refuse(.flowStateNotFound, of: nil, step))
            }
            var known = presented.code
            if known.usedAt != nil {
                if let session = known.sessionID { try SessionEnding(step).end(session, because: .replay) }
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            }
            guard known.expiresAt > call.now else {
                return .failure(try refuse(.flowStateExpired, of: known, step))
            }
            guard known.request.isOf(client: call.client?.id, redirectURI: terms.place(redirectURI, of: known.request)),
                terms.resources.allSatisfy(known.request.resources.containsOctets)
            else {
                _ = try presented.use(becoming: nil, step)
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            }
            guard known.request.isMet(by: verifier), known.request.dpopKey.map({ $0 == dpopKey }) ?? true else {
                _ = try presented.use(becoming: nil, step)
                return .failure(try refuse(.codeVerifierMismatch, of: known, step))
            }
            let browser = try known.parentID.flatMap { try tx.session($0, in: call.directory.id) }
            guard let user = try tx.user(known.userID, in: call.directory.id), user.deletedAt == nil,
                !presented.isEnded(for: user),
                known.parentID == nil || browser.map({ $0.revokedAt == nil && !$0.hasEnded(call) }) ?? false
            else { return .failure(try refuse(.flowStateNotFound, of: known, step)) }
            guard let request = terms.held(known.request, by: call.client) else {
                _ = try presented.use(becoming: nil, step)
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            }
            known.request = request
            var next = try conclude(
                known, as: presented.session, of: user, in: browser, dpopKey: dpopKey, terms, step)
            guard try presented.use(becoming: next.issued?.session.id, step) else {
                // Another call used it since it was read: this one leaves no session behind.
                throw AuthError(.flowStateNotFound)
            }
            if case .session(var issued) = next {
                issued.request = known.request
                issued.upstream = known.upstream
                next = .session(issued)
            }
            return .success(begin(next))
        }
        return try outcome.get()
    }

    /// - Parameters:
    ///   - id: of the session that opens, where it is known.
    ///   - browser: the session that the code was asked for in, which lives; `nil` where it was in none.
    private func conclude(
        _ known: AuthorizationCode, as id: SessionID?, of user: User, in browser: Session?, dpopKey: String?,
        _ terms: Terms, _ step: FlowStep
    ) throws -> SignInStep {
        let proof = SignInProof(methods: known.methods, assurance: known.assurance)
        guard let browser else { return try SessionIssuer(step).conclude(proof, of: user).get() }
        let isPublic = step.call.client?.authenticates(by: .publicClient) ?? true
        let grant = ClientGrant(
            scopes: known.request.scopes, resources: known.request.resources, claims: known.request.claims,
            isOffline: terms.isOffline || known.request.scopes.contains(ClientGrant.offlineAccess),
            dpopKey: isPublic ? dpopKey : nil)
        return .session(try SessionIssuer(step).open(grant, as: id, under: browser, proof, of: user).get())
    }

    private func refuse(
        _ code: AuthErrorCode, of known: AuthorizationCode?, _ step: FlowStep
    ) throws -> AuthError {
        var details: JSONObject = ["reason": .string(code.rawValue)]
        if let known { details["subject"] = .string(known.userID.rawValue) }
        try step.record(.authenticationFailed, user: known?.userID, details: details)
        return AuthError(code)
    }
}
