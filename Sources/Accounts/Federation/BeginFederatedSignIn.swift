// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Where a browser is to be sent for a provider's word, and what for.
public struct FederationRequest: Sendable {
    /// ``IdentityProvider/name``.
    public var provider: String
    /// Where the provider sends the browser back to: the dialect's own place. Where a dialect's apps take the answer
    /// themselves it is theirs, and the dialect holds it to the Directory's list of places.
    public var redirectURI: String
    /// What must come along with the answer: ``BrowserID/hash``, or the hash of what the dialect binds it to.
    public var binding: [UInt8]
    /// What the dialect goes on with: at most ``PendingFederation/continuationLimit`` octets.
    public var continuation: JSONObject
    /// Beside those of the provider's configuration.
    public var scopes: [String]
    public var prompt: String?
    public var loginHint: String?
    /// What else is passed on, by names that the dialect allows.
    public var extra: [String: String]
    /// To whom the identity is to be linked, as their session was authenticated in this call; `nil` to sign in.
    public var linksTo: AuthenticatedUser?
    public var lifetime: TimeSpan

    public init(
        provider: String, redirectURI: String, binding: [UInt8], continuation: JSONObject = [:], scopes: [String] = [],
        prompt: String? = nil, loginHint: String? = nil, extra: [String: String] = [:],
        linksTo: AuthenticatedUser? = nil, lifetime: TimeSpan = .minutes(10)
    ) {
        self.provider = provider
        self.redirectURI = redirectURI
        self.binding = binding
        self.continuation = continuation
        self.scopes = scopes
        self.prompt = prompt
        self.loginHint = loginHint
        self.extra = extra
        self.linksTo = linksTo
        self.lifetime = lifetime
    }
}

/// Sends a browser to an identity provider (RFC 9700, sections 2.1 and 4.7): with a state that is good once, in that
/// browser and for that provider, with PKCE and a nonce.
public struct BeginFederatedSignIn: Sendable {
    private static let stateLength = 16
    private static let verifierLength = 32

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Returns: the URL to send the browser to, and the state in it.
    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``,
    ///   ``AuthErrorCode/identityProviderUnavailable``, ``AuthErrorCode/invalidRequest`` for too long a continuation;
    ///   to link, ``AuthErrorCode/reauthenticationNeeded``, ``AuthErrorCode/emailNotVerified``,
    ///   ``AuthErrorCode/phoneNotVerified``, ``AuthErrorCode/userBanned``.
    public func callAsFunction(
        _ request: FederationRequest, call: CallContext
    ) async throws -> (url: String, state: String) {
        guard let dialect = call.dialect else {
            throw AuthError(.internalFailure, reason: "a federated sign-in of no dialect")
        }
        guard request.continuation.serialized().count <= PendingFederation.continuationLimit else {
            throw AuthError(.invalidRequest, reason: "too much to remember", field: "continuation")
        }
        if let user = request.linksTo { try LinkRule(call).require(user) }
        let provider = try await IdentityProviders(ports).usable(request.provider, in: call.directory.id)
        let state = Base64URL.encode(ports.random.bytes(Self.stateLength))
        let verifier = Base64URL.encode(ports.random.bytes(Self.verifierLength))
        let nonce = Base64URL.encode(ports.random.bytes(Self.stateLength))
        let url = try await ports.identityProviders.authorization(
            UpstreamRequest(
                state: state, nonce: nonce, challenge: CodeChallenge(for: verifier), redirectURI: request.redirectURI,
                scopes: request.scopes, prompt: request.prompt, loginHint: request.loginHint, extra: request.extra),
            at: provider)
        try await ports.write(call) { step in
            if let user = request.linksTo {
                try AssuranceRule(step).require(user)
                try AccountLinking(step).require(try step.tx.liveUser(user.user.id, in: step.directory))
            }
            try step.tx.insert(
                PendingFederation(
                    id: step.identifier(), directoryID: step.directory,
                    stateHash: PendingFederation.hash(of: state), providerID: provider.id, provider: provider.name,
                    issuer: provider.issuer, binding: request.binding, nonce: nonce, verifier: Secret(verifier),
                    redirectURI: request.redirectURI, dialect: dialect, continuation: request.continuation,
                    linksTo: request.linksTo?.user.id, session: request.linksTo?.session?.id, createdAt: step.now,
                    expiresAt: step.now + request.lifetime))
        }
        return (url, state)
    }
}

/// Whether a session may decide by whom its user is vouched for from now on: as it may about an address or a number.
struct LinkRule {
    private let call: CallContext

    init(_ call: CallContext) {
        self.call = call
    }

    /// - Throws: ``AuthErrorCode/reauthenticationNeeded``.
    func require(_ authenticated: AuthenticatedUser) throws(AuthError) {
        guard !Reauthentication(authenticated, call: call).isNeededForIdentity(of: authenticated.user) else {
            throw AuthError(.reauthenticationNeeded)
        }
    }

    /// Whoever asked for the link, who must still be signed in where they did: a provider may have been asked
    /// meanwhile, and that takes as long as the provider likes.
    ///
    /// - Parameter instant: when they asked.
    /// - Throws: ``AuthErrorCode/sessionNotFound``, ``AuthErrorCode/userNotFound``.
    static func holder(_ id: UserID, _ session: SessionID?, since instant: Instant, _ step: FlowStep) throws -> User {
        let user = try step.tx.liveUser(id, in: step.directory)
        guard user.acceptsTokens(issuedAt: instant.seconds, at: step.now) else { throw AuthError(.sessionNotFound) }
        guard let session else { return user }
        guard let found = try step.tx.session(session, in: step.directory), found.userID == id, found.revokedAt == nil,
            found.notAfter.map({ step.now < $0 }) ?? true
        else { throw AuthError(.sessionNotFound) }
        return user
    }
}
