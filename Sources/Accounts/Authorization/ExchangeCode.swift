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
        /// Whether an exchange that proves its challenge need not say again where the code was sent (OAuth 2.1,
        /// section 4.1.3).
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
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for an unknown or used code, for one that another client was
    ///   given, for one whose browser session has ended meanwhile, and for one of which the client may be given nothing
    ///   any more, ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/codeVerifierMismatch``, also for another key
    ///   than the request named, ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        code: String, verifier: String?, redirectURI: String? = nil, dpopKey: String? = nil, terms: Terms = Terms(),
        call: CallContext
    ) async throws -> SignInStep {
        try await exchange(
            CodeRedemption(
                code: code, verifier: verifier, redirectURI: redirectURI, dpopKey: dpopKey, terms: terms, call: call))
    }

    /// As calling this, for what is made of the session, such as its tokens. `make` begins when it is known what the
    /// session is, and goes on while that is made durable; before it is, nobody is given what came of it.
    ///
    /// - Parameter make: has no effect: what it made for a session that could not be kept is thrown away.
    /// - Throws: as calling this; what ``SignInStep/session()`` throws, and what `make` does.
    public func callAsFunction<Made: Sendable>(
        code: String, verifier: String?, redirectURI: String? = nil, dpopKey: String? = nil, terms: Terms = Terms(),
        call: CallContext, making make: (IssuedSession) async throws -> Made
    ) async throws -> Made {
        let redemption = CodeRedemption(
            code: code, verifier: verifier, redirectURI: redirectURI, dpopKey: dpopKey, terms: terms, call: call)
        let prospect = try await ports.store.read { [random = ports.random] in
            try redemption.prospect(in: $0, random)
        }
        if let prospect {
            let (isKept, made) = try await ports.write(call) {
                try prospect.keep($0)
            } while: {
                try await make(prospect.issued)
            }
            if isKept { return made }
        }
        // Something speaks against it, or has come between: what that is, and ends, is judged where it is kept.
        return try await make(try await exchange(redemption).session())
    }

    private func exchange(_ redemption: CodeRedemption) async throws -> SignInStep {
        // A refusal must be committed with what it ends, so it leaves the transaction as a value.
        let outcome: Result<SignInStep, AuthError> = try await ports.writeBriefly(redemption.call) { step in
            guard let presented = try redemption.presented(in: step.tx) else {
                return .failure(try refuse(.flowStateNotFound, of: nil, step))
            }
            let known = presented.code
            switch try redemption.verdict(on: presented, in: step.tx) {
            case .replayed:
                if let session = known.sessionID { try SessionEnding(step).end(session, because: .replay) }
                return .failure(try refuse(.flowStateNotFound, of: known, step))
            case .refused(let error, let usesUp):
                if usesUp { _ = try presented.use(becoming: nil, step) }
                return .failure(try refuse(error, of: known, step))
            case .good(let request, let user, let browser):
                // Before there is a session: the sign-in that it is may end what codes there are.
                let id = presented.session ?? step.identifier()
                guard try presented.use(becoming: id, step) else {
                    // Another call used it since it was read: this one leaves no session behind.
                    throw AuthError(.flowStateNotFound)
                }
                let next = try conclude(presented, as: id, redemption.grant(of: request), of: user, in: browser, step)
                guard case .session(var issued) = next else { return .success(next) }
                issued.request = request
                issued.upstream = known.upstream
                return .success(.session(issued))
            }
        }
        return try outcome.get()
    }

    /// - Parameter browser: the session that the code was asked for in, which lives; `nil` where it was in none.
    private func conclude(
        _ presented: PresentedCode, as id: SessionID, _ grant: ClientGrant, of user: User, in browser: Session?,
        _ step: FlowStep
    ) throws -> SignInStep {
        let proof = CodeRedemption.proof(of: presented.code, in: browser)
        let issuer = SessionIssuer(step)
        guard let browser else { return try issuer.conclude(proof, of: user, .stored, as: id).get() }
        return .session(try issuer.open(grant, as: id, under: browser, proof, of: user).get())
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
