// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// One Directory in a store of its own, and what administrative flows need around it.
struct Bench: Sendable {
    static let sharedSecret = "correct-horse-battery-staple-0123456789"

    let accounts: AccountBench

    static func make(settings: DirectorySettings = DirectorySettings()) async throws -> Bench {
        Bench(accounts: try await AccountBench(passwords: CheapHashing()) { $0 = settings })
    }

    var ports: AccountPorts { accounts.ports }
    var directory: Directory { accounts.directory }
    var ring: KeyRing { accounts.keys }
    var now: Instant { accounts.now }

    func call(at now: Instant? = nil, actor: AuditEvent.Actor = .commandLine) -> CallContext {
        CallContext(
            directory: directory, now: now ?? self.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: actor)
    }

    /// Puts keys from elsewhere in the place of the Directory's.
    func adopt(secret: Secret<String>? = nil, list: Secret<String>? = nil, at now: Instant) async throws {
        let keys = try ImportedKeys(secret: secret, list: try list.map { try ImportedKeys.List($0) })
        try await ring.adopt(try #require(keys), into: directory, at: now)
    }

    /// A live session, as a sign-in leaves it.
    func openSession(of user: User) async throws -> SessionID {
        let id = SessionID(ports.random.uuid())
        let (family, _) = RefreshTokenFamily.open(for: id, secret: ports.random.bytes(24))
        let session = Session(
            id: id, directoryID: user.directoryID, userID: user.id, device: DeviceMetadata(),
            methods: [AuthenticationMethod(.password, at: now)], assurance: .aal1, createdAt: now, lastActiveAt: now,
            notAfter: nil, family: family)
        try await ports.store.write { try $0.insert(session) }
        return id
    }

    private struct PlainLinks: VerificationLinks {
        func link(
            for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory
        ) -> String { "https://auth.example.com/verify?token=\(token)" }

        func home(of _: Directory) -> String { "https://auth.example.com/account" }
    }

    /// The password itself in the shape of a hash: these tests are not about hashing.
    private struct CheapHashing: PasswordHashing {
        private func form(_ password: Secret<String>) throws -> PasswordHash {
            let tag = Base64.encodeUnpadded(
                Array((password.reveal() + String(repeating: " ", count: 32)).utf8.prefix(32)))
            return try PasswordHash("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$" + tag)
        }

        func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict {
            try stored == form(password) ? .match(rehash: false) : .mismatch
        }

        func hash(_ password: Secret<String>) async throws -> PasswordHash { try form(password) }
    }
}
