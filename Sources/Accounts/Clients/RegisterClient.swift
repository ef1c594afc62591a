// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Lets programs register themselves as clients, within what an operator's token says (RFC 7591), and change or remove
/// themselves (RFC 7592).
public struct RegisterClient: Sendable {
    private static let prefix = "lk_client_"
    private static let maximumToken = 256

    /// A client, and what it shows to change itself.
    public struct Registered: Sendable {
        /// With its secret's text, where one was made.
        public var client: Client
        public var accessToken: Secret<String>
    }

    /// What a program says of itself.
    public struct Metadata: Sendable {
        public var registration: ClientRegistration
        /// What is kept and given back, and nothing else is done with.
        public var attributes: JSONObject

        public init(registration: ClientRegistration, attributes: JSONObject) {
            self.registration = registration
            self.attributes = attributes
        }
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whether a client can be registered in a Directory now.
    public func isOpen(in directory: Directory, at now: Instant) async throws -> Bool {
        try await ports.store.read { tx in
            try tx.initialAccessTokens(in: directory.id).contains { $0.isGood(at: now) }
        }
    }

    /// The Directory that an initial access token is of; `nil` for a text that is none, or none any more.
    public func directory(of token: String, at now: Instant) async throws -> DirectoryID? {
        guard token.utf8.count <= Self.maximumToken else { return nil }
        let found = try await ports.store.read { try $0.initialAccessToken(hash: APIKeySecret.hash(token)) }
        return found.flatMap { $0.isGood(at: now) ? $0.directoryID : nil }
    }

    /// Registers a client. Of several at once, no more are registered than the token is good for.
    ///
    /// - Throws: ``AuthErrorCode/tokenInvalid`` for an initial access token that is none of the call's Directory, has
    ///   expired, was revoked or is used up; ``AuthErrorCode/invalidRequest`` naming the field.
    public func callAsFunction(_ metadata: Metadata, by token: String, call: CallContext) async throws -> Registered {
        let access = APIKeySecret(prefix: Self.prefix, random: ports.random)
        let client = try await ports.write(call) { step in
            guard token.utf8.count <= Self.maximumToken,
                let initial = try step.tx.initialAccessToken(hash: APIKeySecret.hash(token)),
                initial.directoryID == step.directory, initial.isGood(at: step.now)
            else { throw Self.refusal }
            let registration = try initial.bounded(metadata.registration)
            var settings = try registration.newClient()
            settings.attributes = metadata.attributes
            let client = ClientAdministration.new(
                name: registration.name ?? initial.name, withSecret: registration.usesSecret, settings: settings,
                call: call, random: step.random)
            guard try step.tx.useInitialAccessToken(initial.id) else { throw Self.refusal }
            try ClientAdministration.insert(client, keepsSecret: false, step)
            try step.tx.insert(
                SelfRegistration(
                    clientID: client.id, directoryID: step.directory, accessHash: access.hash,
                    initialToken: initial.id))
            return client
        }
        return Registered(client: client, accessToken: access.text)
    }

    /// The client as it is registered now (RFC 7592, section 2.1).
    ///
    /// - Throws: ``AuthErrorCode/tokenInvalid`` for another client's token, and for a client that is not there any more
    ///   or was registered by an operator.
    public func get(_ id: ClientID, by token: String, call: CallContext) async throws -> Client {
        try await ports.store.read { try Self.own(id, token, call, $0).client }
    }

    /// Writes all that a client says of itself in place of what it said before (RFC 7592, section 2.2). What it can't
    /// say stays as an operator has set it, and so does what it must hold to, whatever it says; but for what an
    /// operator trusts it with: what it says now nobody has looked at. Once an operator has written its grants, scopes
    /// or places, it may have those that they wrote, whatever it was registered by, and no others; what it has left out
    /// itself comes back when it asks for it again.
    ///
    /// - Parameter secret: that the client says it has; `nil` where it says none.
    /// - Throws: As ``get(_:by:call:)``; ``AuthErrorCode/invalidRequest`` naming the field.
    public func update(
        _ id: ClientID, _ metadata: Metadata, secret: String?, by token: String, call: CallContext
    ) async throws -> Client {
        try await ports.write(call) { step in
            let (known, initial, left) = try Self.own(id, token, call, step.tx)
            if let secret, !known.hasSecret(secret) {
                throw AuthError(.invalidRequest, reason: "not the client's", field: "client_secret")
            }
            let registration = try initial.bounded(metadata.registration, left).kept(within: known.settings)
            return try ClientAdministration.update(id, name: registration.name ?? initial.name, step) { settings in
                // As if it were new, so that what is left out is what a new client has.
                let former = settings
                settings = try registration.newClient()
                settings.attributes = metadata.attributes
                settings.stepLifetime = former.stepLifetime
                settings.authorization.isEnabled = former.authorization.isEnabled
                settings.authorization.identityProviders = former.authorization.identityProviders
                settings.authorization.providersOnly = former.authorization.providersOnly
            }
        }
    }

    /// Removes the client (RFC 7592, section 2.3).
    ///
    /// - Throws: As ``get(_:by:call:)``.
    public func delete(_ id: ClientID, by token: String, call: CallContext) async throws {
        try await ports.write(call) { step in
            _ = try Self.own(id, token, call, step.tx)
            try ClientAdministration.delete(id, step)
        }
    }

    private static let refusal = AuthError(.tokenInvalid, reason: "not a token that registers or changes this client")

    private static func own(
        _ id: ClientID, _ token: String, _ call: CallContext, _ tx: any StoreReading
    ) throws -> (client: Client, initial: InitialAccessToken, left: SelfRegistration.Left) {
        guard token.utf8.count <= maximumToken, ClientAdministration.isIdentifier(id.rawValue),
            let own = try tx.selfRegistration(of: id, in: call.directory.id),
            constantTimeEqual(own.accessHash, APIKeySecret.hash(token)), let client = try tx.client(id),
            let initial = try tx.initialAccessToken(own.initialToken, in: call.directory.id)
        else { throw refusal }
        return (client, initial, own.left)
    }
}

extension ClientRegistration {
    /// With what an operator has set of a client where that is stricter, or not the client's business. Who has demanded
    /// pushed or signed requests or bound tokens is not known: it stays until an operator takes it back.
    fileprivate func kept(within settings: ClientSettings) -> ClientRegistration {
        let own = settings.authorization
        var registration = self
        if own.requiresPushedRequests { registration.requiresPushedRequests = true }
        if own.requiresSignedRequests { registration.requiresSignedRequests = true }
        if own.isDPoPBound { registration.isDPoPBound = true }
        if let algorithm = own.requestAlgorithm, case .keep = requestAlgorithm {
            registration.requestAlgorithm = .set(algorithm)
        }
        registration.requiresPKCE = own.requiresPKCE ? true : nil
        registration.rotatesRefreshTokens = settings.rotatesRefreshTokens ? true : nil
        if own.consent == .always { registration.consent = .always }
        registration.profile = own.profile.map { .set($0) } ?? .keep
        registration.homeURI = own.homeURI.map { .set($0) } ?? .keep
        registration.backchannelLogoutURI = own.backchannelLogoutURI.map { .set($0) } ?? .keep
        registration.accessTokenLifetime = settings.accessTokenLifetime.map { .set($0) } ?? .keep
        registration.idTokenLifetime = settings.idTokenLifetime.map { .set($0) } ?? .keep
        registration.refreshTokenLifetime = settings.refreshTokenLifetime.map { .set($0) } ?? .keep
        return registration
    }
}
