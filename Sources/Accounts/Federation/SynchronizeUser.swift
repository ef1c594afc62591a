// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What came of a user's synchronization.
public enum UserSynchronization: Sendable {
    case done(FederatedOutcome)
    /// The provider can't be asked now: it waits in the outbox by this name, and is tried again (H-8).
    case queued(OutboxMessageID)
}

/// Lets a user here follow what an identity provider says of them, and makes the user whom nobody knows (H-7): what an
/// app calls whose users sign in by the provider's own SDK. Whose account it is ``FederationDecision`` says, as in
/// every sign-in, so that whoever came by the hosted pages before is the same user (H-9). Nobody is signed in, and what
/// the app shows is not spent: the same again finds the same user and changes nothing.
///
/// What the provider says is laid over what it said before, in the attributes that the operator maps
/// (``IdentityProvider/attributeMapping``), or in those of OpenID Connect's scope `profile`; all else that is known of
/// the user stays.
public struct SynchronizeUser: Sendable {
    /// Of what an app shows.
    public static let maximumToken = 8 * 1024
    private static let maximumNonce = 512
    /// How many a Directory lets wait, of all apps together, and of those from one address: no key has judged them.
    private static let queue = DirectorySettings.Rate(count: 2000, seconds: 3600)
    private static let queueOfOne = DirectorySettings.Rate(count: 200, seconds: 3600)
    /// The claims of OpenID Connect Core, section 5.4, that are texts.
    private static let profile: [String: String] = [
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website", "gender", "birthdate", "zoneinfo", "locale",
    ].reduce(into: [:]) { $0[$1] = $1 }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - provider: ``IdentityProvider/name``.
    ///   - nonce: that the app asked with, plain or as the token has it.
    ///   - call: whose dialect's place takes what the domain has no words for.
    /// - Throws: ``AuthErrorCode/identityProviderNotFound``, ``AuthErrorCode/identityProviderDisabled``,
    ///   ``AuthErrorCode/identityTokenInvalid``, ``AuthErrorCode/identityEmailMissing``,
    ///   ``AuthErrorCode/needsConfirmation``, ``AuthErrorCode/signUpDisabled``, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/identityNotFound`` where the identity, or its user's account, ended while this was judged,
    ///   ``AuthErrorCode/metadataTooLarge``, ``AuthErrorCode/invalidRequest`` for what is no token;
    ///   ``AuthErrorCode/identityProviderUnavailable`` where too many wait already; what the store throws that can't be
    ///   written: then nothing waits either.
    public func callAsFunction(
        _ proof: UserSync.Proof, _ token: Secret<String>, nonce: String? = nil, of provider: String, call: CallContext
    ) async throws -> UserSynchronization {
        guard (1...Self.maximumToken).contains(token.reveal().utf8.count) else {
            throw AuthError(.invalidRequest, reason: "1 to \(Self.maximumToken) octets", field: proof.rawValue)
        }
        guard nonce.map({ (1...Self.maximumNonce).contains($0.utf8.count) }) ?? true else {
            throw AuthError(.invalidRequest, reason: "1 to \(Self.maximumNonce) octets", field: "nonce")
        }
        let sync = UserSync(
            provider: provider, proof: proof, token: token, nonce: nonce, dialect: call.dialect, receivedAt: call.now)
        do {
            let judged = try await judged(sync, call)
            return .done(try await ports.write(call) { try Self.apply(judged, of: sync, $0) }.get())
        } catch let error as AuthError where Self.isPassing(error) {
            try await inspect(sync, call)
            return .queued(try await queue(sync, because: error, call))
        }
    }

    /// What helps to try again.
    static func isPassing(_ error: AuthError) -> Bool {
        [.identityProviderUnavailable, .unavailable, .overloaded, .hookFailed].contains(error.code)
    }

    /// What has become of one that had to wait.
    ///
    /// - Parameter id: is told to nobody but who asked.
    /// - Throws: ``AuthErrorCode/notFound``, also for another Directory's.
    public func standing(of id: OutboxMessageID, call: CallContext) async throws -> UserSyncStanding {
        try await ports.store.read { try UserSyncStanding(id, in: call.directory.id, $0) }
    }

    // MARK: Trying

    /// Outside of any transaction, and as of when the app came.
    func judged(_ sync: UserSync, _ call: CallContext) async throws -> JudgedProof {
        var then = call
        then.now = sync.receivedAt
        let credential: UpstreamCredential =
            switch sync.proof {
            case .idToken: .idToken(Self.idToken(of: sync))
            case .accessToken: .accessToken(sync.token)
            }
        return try await IDTokenSignIn(ports).judged(credential, of: sync.provider, call: then)
    }

    /// What no key would make good waits for none. Of an access token nobody but the provider can tell.
    private func inspect(_ sync: UserSync, _ call: CallContext) async throws {
        guard sync.proof == .idToken else { return }
        let provider = try await IdentityProviders(ports).usable(sync.provider, in: call.directory.id)
        try ports.identityProviders.inspect(Self.idToken(of: sync), at: provider, now: sync.receivedAt)
    }

    private static func idToken(of sync: UserSync) -> UpstreamIDToken {
        UpstreamIDToken(text: sync.token, nonce: sync.nonce, nonceForm: .either)
    }

    /// - Returns: a refusal as a value, with which the log is committed that says so.
    static func apply(
        _ judged: JudgedProof, of sync: UserSync, _ step: FlowStep
    ) throws -> Result<FederatedOutcome, AuthError> {
        let mapping = judged.provider.attributeMapping.isEmpty ? profile : judged.provider.attributeMapping
        let policy = FederationPolicy(ending: .nothing) { proof, _ in
            let mapped = MappedAttributes(proof, by: mapping)
            var description = FederationPolicy.Description(metadata: mapped.shared)
            guard sync.dialect != nil else { return description }
            for (name, value) in mapped.values.sorted(by: { $0.key < $1.key })
            where SharedField(rawValue: name) == nil { description.attributes[name] = .string(value) }
            return description
        }
        return try FederatedAccount(step, judged.provider, judged.proof, policy).synchronize(asOf: sync.receivedAt)
    }

    // MARK: Waiting

    static func waitingLimits(_ call: CallContext) -> [LedgerLimit] {
        [
            LedgerLimit("user syncs that wait, of an address", queueOfOne, call.device.truncatedAddress ?? "", call),
            LedgerLimit("user syncs that wait", queue, "", call),
        ]
    }

    /// The same twice waits once: it is known by what the app showed, under the Directory's key.
    private func queue(_ sync: UserSync, because error: AuthError, _ call: CallContext) async throws -> OutboxMessageID
    {
        let shown = [sync.provider, sync.proof.rawValue, sync.nonce ?? "", sync.token.reveal()].joined(separator: "\0")
        let name = Hex.encode(Array(SHA256.hash(data: Array(shown.utf8))))
        let id: OutboxMessageID = call.directory.derivedIdentifier("user sync", of: name)
        let limits = Self.waitingLimits(call)
        return try await ports.write(call) { step in
            if let waiting = try step.tx.outboxMessage(id), waiting.state == .pending { return id }
            for limit in limits { guard try limit.take(in: step.tx) else { throw error } }
            // One that was given up is tried anew.
            try step.tx.deleteOutboxMessage(id)
            let policy = DeliveryPolicy.of(.userSync)
            try step.tx.enqueue(
                OutboxMessage(
                    id: id, directoryID: step.directory, content: .userSync(sync),
                    dueAt: step.now + policy.delay(after: 1, jitter: UInt16(step.random.bytes(1)[0]) << 8),
                    createdAt: step.now, lastError: error.code.rawValue))
            return id
        }
    }
}
