// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// A ``PasswordBench`` whose other limits do not stand in the way of the lock.
struct LockoutBench: Sendable {
    static let wrong = "Wrong-Horse-7"

    let base: PasswordBench

    init(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        base = try await PasswordBench {
            $0.limits.signInPerIdentifier.count = 10_000
            $0.limits.signInPerAccount.count = 10_000
            $0.password.srpEnabled = true
            change(&$0)
        }
    }

    var ports: AccountPorts { base.ports }

    func call(
        _ client: String = "203.0.113.5", after span: TimeSpan = .zero, language: MessageLanguage = .en,
        _ change: (inout DirectorySettings) -> Void = { _ in }
    ) -> CallContext {
        var call = base.call(after: span, change)
        call.origin = client
        call.language = language
        call.device.truncatedAddress = client.split(separator: ".").prefix(3).joined(separator: ".") + ".0"
        return call
    }

    /// What a sign-in comes to; `nil` for a session.
    func attempt(
        _ password: String, by name: SignInIdentifier? = nil, _ call: CallContext? = nil,
        over ports: AccountPorts? = nil
    ) async throws -> AuthError? {
        let name = try name ?? base.email()
        return await base.error {
            _ = try await PasswordSignIn(ports ?? self.ports)(
                name, password: Secret(password), call: call ?? self.call())
        }
    }

    func right(by name: SignInIdentifier? = nil, _ call: CallContext? = nil) async throws -> AuthError? {
        try await attempt(PasswordBench.password, by: name, call)
    }

    func wrong(by name: SignInIdentifier? = nil, _ call: CallContext? = nil) async throws -> AuthError? {
        try await attempt(Self.wrong, by: name, call)
    }

    /// Locks, from one client.
    func lock(by name: SignInIdentifier? = nil, _ call: CallContext? = nil) async throws {
        for _ in 0..<5 { #expect(try await wrong(by: name, call) != nil) }
    }

    func events(_ action: AuditEvent.Action) async throws -> [AuditEvent] { try await base.base.events(action) }

    /// What was mailed of locks, the newest first.
    func mails(to address: String = "a@example.com") async throws -> [OutboxMessage] {
        try await base.base.messages(to: address).filter { $0.kind == "account_locked" }
    }
}

extension OutboxMessage {
    /// The token of its link.
    func linkToken() throws -> String {
        let link = try #require(link)
        return try #require(link.firstMatch(of: /token=([0-9a-f]+)/)).1.description
    }
}
