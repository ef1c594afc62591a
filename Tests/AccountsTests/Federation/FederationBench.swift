// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// A Directory with an identity provider of each kind, and what the tests of federation ask of it.
struct FederationBench: Sendable {
    let accounts: AccountBench
    let upstream: ScriptedIdentityProviders

    init(
        _ change: @escaping (inout DirectorySettings) -> Void = { _ in },
        delay: @escaping @Sendable () async -> Void = {}
    ) async throws {
        let upstream = ScriptedIdentityProviders(delay: delay)
        accounts = try await AccountBench(identityProviders: upstream, change)
        self.upstream = upstream
        for kind in IdentityProvider.Kind.allCases { try await configure(Self.name(of: kind), kind) }
    }

    static func name(of kind: IdentityProvider.Kind) -> String { kind == .openID ? "custom:acme" : kind.rawValue }

    static func issuer(_ provider: String) -> String { "https://\(provider).example" }

    func configure(
        _ name: String, _ kind: IdentityProvider.Kind, _ change: (inout IdentityProvider) -> Void = { _ in }
    ) async throws {
        var provider = IdentityProvider(
            id: accounts.ports.random.identifier(), directoryID: accounts.directory.id, name: name, kind: kind,
            issuer: kind == .openID ? Self.issuer(name) : nil, clientIDs: ["client"], createdAt: accounts.now,
            updatedAt: accounts.now)
        change(&provider)
        try await accounts.ports.store.write { [provider] tx in
            _ = try tx.deleteIdentityProvider(named: name, in: provider.directoryID)
            try tx.insert(provider)
        }
    }

    static let dialect = DialectName("any")

    func call(after span: TimeSpan = .zero, _ change: (inout DirectorySettings) -> Void = { _ in }) -> CallContext {
        var directory = accounts.directory
        change(&directory.settings)
        var call = CallContext(
            directory: directory, now: accounts.now + span, device: DeviceMetadata(userAgent: "test"), language: .en,
            links: PlainLinks(), dialect: Self.dialect)
        call.identifierLength = nil
        return call
    }

    // MARK: Proofs

    func proof(
        _ provider: String, _ subject: String, email: String? = nil, vouched: Bool = false,
        claims: JSONObject = [:], tokens: UpstreamTokens? = nil
    ) throws -> FederatedProof {
        FederatedProof(
            provider: provider, issuer: Self.issuer(provider), subject: subject, audience: "client",
            email: try email.map { try EmailAddress($0) }, isEmailVouched: vouched, claims: claims,
            expiresAt: accounts.now + .hours(1), tokens: tokens)
    }

    /// Signs in by an ID token that proves this.
    func signIn(
        _ proof: FederatedProof, policy: FederationPolicy = FederationPolicy(), call: CallContext? = nil
    ) async throws -> FederatedOutcome {
        let token = "header.\(UInt64.random(in: 0 ... .max)).signature"
        upstream.vouch(proof, by: token)
        return try await IDTokenSignIn(accounts.ports)(
            .idToken(UpstreamIDToken(text: Secret(token))), of: proof.provider, policy: policy,
            call: call ?? self.call())
    }

    /// The code of a refusal; `nil` where it did not come to one.
    func refusal(_ work: () async throws -> Void) async -> AuthErrorCode? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? AuthError)?.code ?? .internalFailure
        }
    }

    // MARK: Accounts

    @discardableResult
    func user(
        email: String? = nil, phone: String? = nil, _ change: (inout User) throws -> Void = { _ in }
    ) async throws -> User {
        var made = User(
            id: accounts.ports.random.identifier(), directoryID: accounts.directory.id, createdAt: accounts.now)
        made.email = try email.map { try EmailAddress($0) }
        made.phone = try phone.map { try PhoneNumber($0) }
        try change(&made)
        let user = made
        return try await accounts.ports.write(call()) { step in
            try step.tx.insert(user)
            try LocalIdentities(step).insert(for: user)
            return user
        }
    }

    func owner(_ email: String) async throws -> User {
        try await user(email: email) {
            $0.emailVerifiedAt = accounts.now
            $0.passwordHash = try PasswordHash(ProofBench.hash)
        }
    }

    func insert(_ provider: String, _ subject: String, for user: User) async throws {
        let identity = Identity(
            id: accounts.ports.random.identifier(), directoryID: user.directoryID, userID: user.id, provider: provider,
            subject: subject, data: [:], createdAt: accounts.now, updatedAt: accounts.now)
        try await accounts.ports.store.write { try $0.insert(identity) }
    }

    /// Opens a session, as any other way in would.
    func session(of user: User, after span: TimeSpan = .zero) async throws -> AuthenticatedUser {
        let issued = try await accounts.ports.write(call(after: span)) { step in
            let current = try step.tx.liveUser(user.id, in: step.directory)
            return try SessionIssuer(step).conclude(SignInProof(.oneTimeCode, at: step.now), of: current).get()
                .session()
        }
        return AuthenticatedUser(user: issued.user, identities: issued.identities, session: issued.session)
    }

    func reload(_ user: User) async throws -> User? {
        try await accounts.ports.store.read { try $0.user(user.id, in: user.directoryID) }
    }

    func identities(of user: User) async throws -> [String] {
        try await accounts.ports.store.read { try $0.identities(of: user.id, in: user.directoryID) }
            .filter { !LocalIdentities.isLocal($0) }.map { "\($0.provider) \($0.subject)" }
    }

    func liveSessions(of user: User) async throws -> Int {
        try await accounts.ports.store.read { try $0.sessions(of: user.id, in: user.directoryID) }
            .count { $0.revokedAt == nil }
    }

    func events(_ action: AuditEvent.Action) async throws -> [AuditEvent] {
        let id = accounts.directory.id
        return try await accounts.ports.store.scan(in: id) {
            try $0.auditEvents(in: id, actions: [action], user: nil, offset: 0, limit: 1000)
        }
    }
}
