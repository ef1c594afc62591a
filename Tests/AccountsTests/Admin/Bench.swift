// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import AuthTypes
import Foundation
import Mail
import Passwords

@testable import Accounts

/// One Directory in a store of its own, and what administrative flows need around it.
struct Bench: Sendable {
    static let sharedSecret = "correct-horse-battery-staple-0123456789"

    let ports: AccountPorts
    let directory: Directory
    let ring: KeyRing
    let now: Instant
    private let folder: Folder

    static func make(settings: DirectorySettings = DirectorySettings()) async throws -> Bench {
        let folder = try Folder()
        let random = SystemRandomSource()
        let store = try SQLiteAccountStore(path: folder.url.appendingPathComponent("accounts.sqlite").path)
        let ports = AccountPorts(
            store: store, passwords: CheapHashing(), random: random,
            messages: MessageComposer(defaults: try MailTemplates(), random: random))
        let now = Instant(seconds: 1_780_000_000)
        let directory = try await DirectoryAdministration(ports).create(name: "default", settings: settings, at: now)
        return Bench(
            ports: ports, directory: directory, ring: KeyRing(store: store, random: random), now: now, folder: folder)
    }

    func call(at now: Instant? = nil, actor: AuditEvent.Actor = .commandLine) -> CallContext {
        CallContext(
            directory: directory, now: now ?? self.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: actor)
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

    /// A folder that goes with the last copy of the bench.
    private final class Folder: Sendable {
        let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory
                .appendingPathComponent("latchkey-bench-" + SystemRandomSource().uuid())
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: url) }
    }
}
