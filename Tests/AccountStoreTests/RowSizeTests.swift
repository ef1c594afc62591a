// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import GRDB
import Passwords
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

/// What a user takes in the database, with all entries in all indexes, and sealed. Users come as an import brings them:
/// a thousand at once, with identifiers in no order.
@Suite("The size of a user", .timeLimit(.minutes(10)))
struct RowSizeTests {
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// With an identifier that was brought along, a hash of the platform's scrypt and its key.
        case firebase
        /// The same with an identity of another provider's, and no password.
        case federated
        /// With an identity that was signed in by, as a platform's database has it.
        case supabase
        /// With a name and attributes.
        case cognito

        var testDescription: String { rawValue }
    }

    private static let random = SystemRandomSource()
    private static let directory = Directory(
        id: DirectoryID(by: random), name: "home", settings: DirectorySettings(),
        tokenKey: Secret([UInt8](repeating: 7, count: 32)), createdAt: Rows.now, updatedAt: Rows.now)

    private static func user(_ kind: Kind, _ number: Int, _ id: UserID) throws -> User {
        let uid = ExternalIdentifiers(
            try ExternalIdentifier(random.letters(28, ofBothCases: true)), in: DialectName("firebase"))
        var user = User(
            id: id, directoryID: directory.id,
            externalIdentifiers: [.firebase, .federated].contains(kind) ? uid : ExternalIdentifiers(),
            createdAt: Rows.now + .seconds(Int64(number)))
        user.origin = .transfer
        user.email = try EmailAddress(random.letters(16) + "@example.com")
        user.emailVerifiedAt = user.createdAt
        user.updatedAt = Rows.now
        user.lastSignInAt = Rows.now
        user.appMetadata = ["provider": "email", "providers": ["email"]]
        func octets(_ count: Int) -> String { Base64.encode(random.bytes(count)) }
        switch kind {
        case .firebase:
            user.passwordHash = try PasswordHash(
                "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=\(octets(64))$\(octets(12))$\(octets(64))")
            user.userMetadata = ["name": .string("User \(number)")]
        case .federated:
            user.appMetadata = ["provider": "google", "providers": ["google"]]
            user.userMetadata = ["name": .string("User \(number)")]
        case .supabase:
            user.passwordHash = try PasswordHash(
                "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy")
            user.userMetadata = ["name": .string("User \(number)")]
        case .cognito:
            user.username = try Username("user-" + random.letters(8))
            user.dialectData = try DialectData([
                "cognito": ["user": ["given_name": "Ada", "family_name": .string("Number \(number)")]]
            ])
        }
        return user
    }

    private static func identities(_ kind: Kind, of user: User) -> [Identity] {
        switch kind {
        case .firebase, .cognito: []
        case .supabase: [local(user)]
        case .federated:
            [
                Identity(
                    id: random.identifier(), directoryID: user.directoryID, userID: user.id, provider: "google",
                    subject: random.digits(21),
                    data: [
                        "email": .string(user.email?.rawValue ?? ""),
                        "name": user.userMetadata["name"] ?? .null,
                    ], createdAt: user.createdAt, updatedAt: Rows.now)
            ]
        }
    }

    private static func local(_ user: User) -> Identity {
        Identity(
            id: random.identifier(), directoryID: user.directoryID, userID: user.id, provider: "email",
            subject: user.id.rawValue,
            data: [
                "sub": .string(user.id.rawValue), "email": .string(user.email?.rawValue ?? ""), "email_verified": true,
                "phone_verified": false,
            ], lastSignInAt: Rows.now, createdAt: user.createdAt, updatedAt: Rows.now)
    }

    private func bytes(_ store: SQLiteAccountStore) async throws -> Int {
        try await store.queue.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return (pages - free) * (try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
        }
    }

    @Test("R10.5 a user who is brought along takes 900 bytes at most, whichever the dialect", arguments: Kind.allCases)
    func size(_ kind: Kind) async throws {
        let keys = try MasterKeys(parsing: MasterKey.generate(random: Self.random))
        try await withStore(masterKeys: keys) { store in
            _ = try await store.beginSealing(at: Rows.now)
            try await store.write { try $0.insert(Self.directory) }
            let (calls, batch) = (6, 1000)
            let before = try await bytes(store)
            for call in 0..<calls {
                let ids: [UserID] = Self.random.identifiers(batch)
                let users = try ids.enumerated().map { try Self.user(kind, call * batch + $0.offset, $0.element) }
                try await store.write { tx in
                    try tx.insert(users, with: users.flatMap { Self.identities(kind, of: $0) })
                }
            }
            let each = (try await bytes(store) - before) / (calls * batch)
            #expect(each > 300 && each <= 900, "\(each) bytes")
        }
    }
}
