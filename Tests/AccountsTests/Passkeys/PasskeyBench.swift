// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// A ``FactorBench`` whose Directory has passkeys and security keys, at the site `https://app.example`.
struct PasskeyBench: Sendable {
    static let origin = "https://app.example"

    let factors: FactorBench

    init(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        factors = try await FactorBench { settings in
            settings.passkeys.enabled = true
            settings.factors.webAuthn = .on
            change(&settings)
        }
    }

    var ports: AccountPorts { factors.ports }
    var base: PasswordBench { factors.base }
    func call(after span: TimeSpan = .zero) -> CallContext { factors.call(after: span) }
    func open(after span: TimeSpan = .zero) -> CallContext { factors.open(after: span) }
    func authenticator() -> VirtualAuthenticator { VirtualAuthenticator(origin: Self.origin) }

    /// Somebody who has a passkey.
    struct Owner: Sendable {
        var user: User
        var session: AuthenticatedUser
        var passkey: Factor
        var authenticator: VirtualAuthenticator
    }

    func owner(
        _ email: String = "a@example.com", by authenticator: VirtualAuthenticator? = nil
    ) async throws -> Owner {
        let user = try await base.user(email)
        let session = try await factors.signedIn(email, at: open())
        var authenticator = authenticator ?? self.authenticator()
        let passkey = try await register(&authenticator, for: session)
        return Owner(user: user, session: session, passkey: passkey, authenticator: authenticator)
    }

    func register(
        _ authenticator: inout VirtualAuthenticator, for session: AuthenticatedUser, named name: String? = nil,
        at call: CallContext? = nil
    ) async throws -> Factor {
        let call = call ?? open()
        let flow = RegisterPasskey(ports)
        let question = try await flow.begin(for: session, call: call)
        let answer = try authenticator.create(question.options)
        return try await flow.complete(question.challenge.id, answer, named: name, of: session, call: call)
    }

    /// What a sign-in by the authenticator's passkey leads to.
    func signIn(by authenticator: inout VirtualAuthenticator, at call: CallContext? = nil) async throws -> SignInStep {
        let call = call ?? self.call()
        let question = try await PasskeySignIn(ports).begin(call: call)
        return try await PasskeySignIn(ports)(
            question.challenge.id, try authenticator.get(question.options), call: call)
    }

    func refusal(_ body: () async throws -> Void) async -> AuthErrorCode? { await base.error(body)?.code }

    /// The reasons of refusals, the newest first, as the operator reads them.
    func reasons(_ action: AuditEvent.Action = .signInFailed) async throws -> [String] {
        try await base.base.events(action).compactMap { $0.details["reason"]?.stringValue }
    }

    /// What is stored of a passkey.
    func stored(_ passkey: Factor) async throws -> Factor {
        try #require(try await base.store.read { try $0.factor(passkey.id, in: passkey.directoryID) })
    }
}
