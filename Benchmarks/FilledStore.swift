// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStoreSQLite
import Accounts
import AuthTypes
import Crypto
import Foundation
import Mail
import Passwords

/// A store full of users, each with an identity, a session and a few activities.
struct FilledStore: Sendable {
    private let path: String
    private let store: SQLiteAccountStore
    private let directory: Directory
    private let users: Int
    private let refreshSession: RefreshSession
    private let now = Instant(seconds: 1_790_000_000)

    init(_ path: String, users: Int, isSealed: Bool = false) async throws {
        self.path = path
        self.users = users
        let random = SystemRandomSource()
        let keys = isSealed ? try MasterKeys(parsing: MasterKey.generate(random: random)) : nil
        store = try SQLiteAccountStore(path: path, masterKeys: { keys })
        let now = now
        _ = try await store.beginSealing(at: now)
        let ports = AccountPorts(
            store: store,
            passwords: PasswordHashingPool(threads: 1, random: random, clock: { now }), random: random,
            messages: MessageComposer(defaults: try MailTemplates(), random: random))
        directory = try await DirectoryAdministration(ports).create(
            name: "default", settings: DirectorySettings(), at: now)
        refreshSession = RefreshSession(ports)
        try await fill()
    }

    /// Users are spread over the identifiers and the addresses, as real ones are: what is asked for is not what was
    /// written last.
    private func fill() async throws {
        let hash = try PasswordHash(
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        let chunk = 2_000
        for start in stride(from: 0, to: users, by: chunk) {
            try await store.write { [self] tx in
                for index in start..<min(users, start + chunk) { try insert(index, hash, tx) }
            }
        }
    }

    private func insert(_ index: Int, _ hash: PasswordHash, _ tx: any StoreWriting) throws {
        var user = User(
            id: UserID(Self.uuid("user", index)), directoryID: directory.id, createdAt: now - .seconds(Int64(index)))
        user.email = try EmailAddress(Self.address(index))
        user.emailVerifiedAt = user.createdAt
        user.passwordHash = hash
        try tx.insert(user)
        try tx.insert(
            Identity(
                id: IdentityID(Self.uuid("identity", index)), directoryID: directory.id, userID: user.id,
                provider: "email", subject: user.id.rawValue, data: ["email": .string(Self.address(index))],
                createdAt: user.createdAt, updatedAt: user.createdAt))
        let (family, _) = Self.family(index)
        try tx.insert(
            Session(
                id: SessionID(Self.uuid("session", index)), directoryID: directory.id, userID: user.id,
                device: DeviceMetadata(), methods: [AuthenticationMethod(.password, at: user.createdAt)],
                assurance: .aal1, createdAt: user.createdAt, lastActiveAt: user.createdAt, notAfter: nil,
                family: family))
        for number in 0..<3 {
            try tx.insert(
                Activity(
                    id: ActivityID(Self.uuid("activity \(number)", index)), directoryID: directory.id,
                    userID: user.id, type: "yoga.session", description: "Hatha", durationSeconds: 1_800,
                    at: now - .seconds(Int64(number))))
        }
    }

    private static func digest(_ kind: String, _ index: Int) -> [UInt8] {
        Array(SHA256.hash(data: Array("\(kind) \(index)".utf8)))
    }

    private static func uuid(_ kind: String, _ index: Int) -> String {
        let text = Hex.encode(digest(kind, index).prefix(16))
        return [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)].map { start, length in
            String(text.dropFirst(start).prefix(length))
        }.joined(separator: "-")
    }

    private static func address(_ index: Int) -> String { "\(Hex.encode(digest("mail", index).prefix(6)))@example.com" }

    private static func family(_ index: Int) -> (family: RefreshTokenFamily, live: RefreshToken) {
        RefreshTokenFamily.open(
            for: SessionID(uuid("session", index)), secret: Array(digest("secret", index).prefix(24)))
    }

    /// The same `index` is another user in a store of another size: spread over all of them.
    private func spread(_ index: Int) -> Int { index * 7_919 % users }

    func lookUp(_ index: Int) async throws {
        let email = try EmailAddress(Self.address(spread(index)))
        let found = try await store.read { [directory] in try $0.user(email: email, in: directory.id) }
        guard found != nil else { throw AuthError(.userNotFound) }
    }

    func refresh(_ index: Int) async throws {
        let token = Self.family(spread(index)).live.encoded(under: directory.tokenKey, for: call.dialect)
        _ = try await refreshSession(token, call: call)
    }

    func page() async throws {
        let page = try await store.scan(in: nil) { [directory] tx in
            (try tx.users(in: directory.id, search: nil, offset: 0, limit: 50), try tx.userCount(in: directory.id))
        }
        guard page.0.count == 50, page.1 == users else { throw AuthError(.internalFailure) }
    }

    func activities(_ index: Int) async throws {
        let user = UserID(Self.uuid("user", spread(index)))
        let page = try await store.read { [directory] tx in
            try tx.activities(of: user, in: directory.id, matching: ActivityFilter(), after: nil, limit: 20)
        }
        guard page.count == 3 else { throw AuthError(.internalFailure) }
    }

    private var call: CallContext {
        CallContext(
            directory: directory, now: now, device: DeviceMetadata(), language: .en, links: NoLinks())
    }

    private struct NoLinks: VerificationLinks {
        func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
            redirectTo
        }
    }

    func remove() throws {
        try store.close()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
}
