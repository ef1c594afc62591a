// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import GRDB
import Passwords
import TestSupport
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Secrets at rest", .timeLimit(.minutes(10)))
struct SealingTests {
    private static let old = MasterKey.generate(random: SystemRandomSource())
    private static let new = MasterKey.generate(random: SystemRandomSource())

    /// What only the owner of the master key may read, by the column that it lies in.
    private static let secrets: [String: [UInt8]] = [
        "directories.token_key": Array(repeating: 7, count: 32),
        "signing_keys.private_jwk": Array(#"{"kty":"EC","d":"the-scalar-of-a-signing-key"}"#.utf8),
        "client_secrets.text": Array("the-secret-of-an-app-client".utf8),
        "users.password_hash": Array("$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$dGhlLWhhc2gtb2YtYS1wYXNzd29yZA".utf8),
        "users.srp_verifier": Array("the-verifier-of-a-password-0123456789".utf8),
        "identity_providers.secret": Array("the-secret-at-an-identity-provider".utf8),
        "pending_federations.verifier": Array("the-verifier-of-a-sign-in-under-way".utf8),
        "upstream_grants.refresh_token": Array("the-refresh-token-of-a-provider".utf8),
        "factors.secret": Array("the-secret-of-an-authenticator-app".utf8),
        "remembered_devices.srp_verifier": Array("the-verifier-of-a-device's-secret".utf8),
        "outbox.content": Array("https://auth.example/verify?token=live-link".utf8),
    ]

    private static func text(_ column: String) -> String { String(decoding: secrets[column] ?? [], as: UTF8.self) }

    private func keys(_ texts: Secret<String>...) throws -> MasterKeys {
        try MasterKeys(parsing: Secret(texts.map { $0.reveal() }.joined(separator: "\n")))
    }

    private func open(_ path: String, _ keys: MasterKeys?) throws -> SQLiteAccountStore {
        try SQLiteAccountStore(path: path, masterKeys: { keys })
    }

    /// A Directory with one of each secret.
    private func fill(_ store: SQLiteAccountStore) async throws {
        try await store.addHome()
        try await store.write { tx in
            for id in ["one", "two"] {
                try tx.insert(
                    SigningKeyRecord(
                        id: SigningKeyID(id), directoryID: Rows.home, purpose: .tokens, algorithm: "ES256",
                        privateJWK: Secret(Self.text("signing_keys.private_jwk")), state: .active, createdAt: Rows.now))
            }
            try tx.insert(
                Client(
                    id: ClientID("app"), directoryID: Rows.home, name: "App",
                    secrets: [
                        ClientSecret(
                            Secret(Self.text("client_secrets.text")), id: ClientSecretID("one"), createdAt: Rows.now)
                    ], createdAt: Rows.now, updatedAt: Rows.now))
            try tx.insert(Self.user("ann"))
            for id in ["first", "second"] { try tx.enqueue(Self.message(id)) }
            try Self.federate(tx)
            try tx.insert(
                Factor(
                    id: FactorID("one"), directoryID: Rows.home, userID: UserID("ann"),
                    credential: .totp(Secret(Self.secrets["factors.secret"] ?? [])), createdAt: Rows.now))
            try tx.insert(
                RememberedDevice(
                    id: RememberedDeviceID("one"), directoryID: Rows.home, userID: UserID("ann"),
                    verifier: SRPVerifier(
                        salt: [1], verifier: Secret(Self.secrets["remembered_devices.srp_verifier"] ?? [])),
                    isRemembered: true, assurance: .aal1, createdAt: Rows.now))
        }
    }

    private static func federate(_ tx: any StoreWriting) throws {
        try tx.insert(
            IdentityProvider(
                id: IdentityProviderID("one"), directoryID: Rows.home, name: "google", kind: .google,
                secret: Secret(text("identity_providers.secret")), createdAt: Rows.now, updatedAt: Rows.now))
        try tx.insert(
            PendingFederation(
                id: PendingFederationID("one"), directoryID: Rows.home, stateHash: [1],
                providerID: IdentityProviderID("one"), provider: "google", binding: [2], nonce: "nonce",
                verifier: Secret(text("pending_federations.verifier")), redirectURI: "https://auth.example/",
                dialect: DialectName("any"), createdAt: Rows.now, expiresAt: Rows.now + .minutes(10)))
        try tx.insert(
            Identity(
                id: IdentityID("one"), directoryID: Rows.home, userID: UserID("ann"), provider: "google",
                subject: "1", data: [:], createdAt: Rows.now, updatedAt: Rows.now))
        try tx.put(
            UpstreamGrant(
                identityID: IdentityID("one"), directoryID: Rows.home,
                refreshToken: Secret(text("upstream_grants.refresh_token")), updatedAt: Rows.now))
    }

    private static func user(_ id: String) -> User {
        var user = Rows.user(id)
        user.passwordHash = PasswordHash(stored: text("users.password_hash"))
        user.srpVerifier = SRPVerifier(
            salt: Array(repeating: 1, count: 16), verifier: Secret(secrets["users.srp_verifier"] ?? []))
        return user
    }

    private static func message(_ id: String) -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessageID(id), directoryID: Rows.home,
            content: .mail(
                Letter(
                    kind: "recovery", recipient: "zoe@example.com", subject: "Hello",
                    text: "Follow " + text("outbox.content"), link: text("outbox.content"))), dueAt: Rows.now,
            createdAt: Rows.now)
    }

    /// Whether everything reads as it was written.
    private func check(_ store: SQLiteAccountStore) async throws {
        try await store.read { tx in
            #expect(try tx.directory(Rows.home)?.tokenKey.reveal() == Self.secrets["directories.token_key"])
            let keys = try tx.signingKeys(in: Rows.home).map { $0.privateJWK.reveal() }
            #expect(keys == Array(repeating: Self.text("signing_keys.private_jwk"), count: 2))
            #expect(try tx.client(ClientID("app"))?.secrets.first?.text?.reveal() == Self.text("client_secrets.text"))
            let ann = try tx.user(UserID("ann"), in: Rows.home)
            #expect(ann?.passwordHash?.encoded == Self.text("users.password_hash"))
            #expect(ann?.srpVerifier?.verifier.reveal() == Self.secrets["users.srp_verifier"])
            let provider = try tx.identityProvider(named: "google", in: Rows.home)
            #expect(provider?.secret?.reveal() == Self.text("identity_providers.secret"))
            let pending = try tx.pendingFederation(stateHash: [1])
            #expect(pending?.verifier.reveal() == Self.text("pending_federations.verifier"))
            let grant = try tx.upstreamGrant(of: IdentityID("one"), in: Rows.home)
            #expect(grant?.refreshToken.reveal() == Self.text("upstream_grants.refresh_token"))
            guard case .totp(let secret) = try tx.factor(FactorID("one"), in: Rows.home)?.credential else {
                Issue.record("the factor can't be read")
                return
            }
            #expect(secret.reveal() == Self.secrets["factors.secret"])
            let device = try tx.rememberedDevice(RememberedDeviceID("one"), in: Rows.home)
            #expect(device?.verifier.verifier.reveal() == Self.secrets["remembered_devices.srp_verifier"])
            #expect(try tx.outboxMessage(OutboxMessageID("first"))?.link == Self.text("outbox.content"))
        }
    }

    /// The columns whose secrets can be read in the files of a database.
    private func exposed(_ path: String) throws -> Set<String> {
        var files = Data()
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
            files += try Data(contentsOf: URL(fileURLWithPath: path + end))
        }
        return Set(
            Self.secrets.filter { _, secret in
                [Data(secret), Data(Base64.encode(secret).utf8), Data(Hex.encode(secret).utf8)]
                    .contains { files.range(of: $0) != nil }
            }.keys)
    }

    private func change(_ path: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func code(_ body: () async throws -> Void) async -> AuthErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? AuthError)?.code
        }
    }

    // MARK: At rest

    @Test("R8.19 no secret of a sealed store is in its files; of one that is not, all are")
    func atRest() async throws {
        try await TemporaryDirectory.with { directory in
            for (name, keys) in [("clear", nil), ("sealed", try keys(Self.old))] {
                let path = directory.file(name)
                let store = try open(path, keys)
                #expect(try await store.beginSealing(at: Rows.now) == (keys != nil))
                try await fill(store)
                try await check(store)
                #expect(try exposed(path) == (keys == nil ? Set(Self.secrets.keys) : []))
                try store.close()
                #expect(try exposed(path) == (keys == nil ? Set(Self.secrets.keys) : []))
                let again = try open(path, keys)
                try await check(again)
                try again.close()
            }
        }
    }

    @Test("R8.19 a store that was in the clear is sealed when a key is given, to the last octet of its file")
    func sealsWhatIsThere() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let clear = try open(path, nil)
            try await fill(clear)
            // What is deleted stays in the file's free space.
            for index in 0..<50 { try await clear.write { try $0.insert(Self.user("gone-\(index)")) } }
            for index in 0..<50 {
                _ = try await clear.write { try $0.deleteUser(UserID("gone-\(index)"), in: Rows.home) }
            }
            try clear.close()

            // Cut short after one column, as a kill would; then begun again.
            let first = try open(path, try keys(Self.old))
            _ = try await first.beginSealing(at: Rows.now)
            _ = try await first.writeStatements { try $0.statements.sealRows(of: .tokenKey, after: nil, limit: 10) }
            #expect(try await !first.isSealedThroughout())
            try await check(first)
            try first.close()
            let store = try open(path, try keys(Self.old))
            let report = try await store.sealEverything(at: Rows.now)
            #expect(report == SealingReport(sealed: 12, damaged: 0, isComplete: true))
            try store.rewriteFile()
            #expect(try await store.isSealedThroughout())
            #expect(try exposed(path).isEmpty)
            try await check(store)
            #expect(try await store.sealingStatus().clear.isEmpty)
            #expect(try await store.sealEverything(at: Rows.now).sealed == 0)
            try store.close()
        }
    }

    @Test("R8.19 users prepared before there was a key, or a newer one, are sealed with the newest")
    func prepared() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let store = try open(path, try keys(Self.old))
            try await store.addHome()
            let early = try store.prepared([Self.user("ann")], with: [])
            _ = try await store.beginSealing(at: Rows.now)
            let late = try store.prepared([Self.user("bob")], with: [])
            try await store.write { tx in
                try tx.insert(early)
                try tx.insert(late)
            }
            #expect(try exposed(path).isDisjoint(with: ["users.password_hash", "users.srp_verifier"]))
            let users = try await store.read { try $0.users([UserID("ann"), UserID("bob")], in: Rows.home) }
            #expect(
                users.map { $0.passwordHash?.encoded } == [Self.text("users.password_hash")] + [
                    Self.text("users.password_hash")
                ])
            try store.close()
        }
    }

    // MARK: Damage

    @Test("R8.19 a value does not open in another row, column or Directory, nor when a bit of it is changed")
    func bound() async throws {
        for change in [
            "UPDATE signing_keys SET private_jwk = (SELECT private_jwk FROM signing_keys WHERE id = 'two') WHERE id = 'one'",
            "UPDATE signing_keys SET private_jwk = (SELECT text FROM client_secrets) WHERE id = 'one'",
            "UPDATE signing_keys SET private_jwk = CAST(substr(private_jwk, 1, 40) || x'00' || substr(private_jwk, 42) AS BLOB)",
            "UPDATE signing_keys SET private_jwk = CAST(x'0100000009' || substr(private_jwk, 6) AS BLOB)",
            "UPDATE signing_keys SET private_jwk = x'0100' WHERE id = 'one'",
            "UPDATE signing_keys SET private_jwk = x'' WHERE id = 'one'",
        ] {
            try await TemporaryDirectory.with { directory in
                let path = directory.file("accounts.sqlite")
                let keys = try keys(Self.old)
                let store = try open(path, keys)
                _ = try await store.beginSealing(at: Rows.now)
                try await fill(store)
                try store.close()
                try self.change(path, change)
                let again = try open(path, keys)
                for _ in 0..<2 {
                    let found = await code { _ = try await again.read { try $0.signingKeys(in: Rows.home).count } }
                    #expect(found == .internalFailure, "\(change)")
                }
                // Everything else is as it was, and nothing is overwritten by a pass.
                #expect(try await again.read { try $0.client(ClientID("app"))?.secrets.first?.text?.reveal() } != nil)
                #expect(try await again.sealEverything(at: Rows.now).sealed == 0)
                #expect(try await again.sealingStatus().keys.count == 1)
                try again.close()
            }
        }
    }

    @Test("R8.19 a pass of one key forgets none once a newer one was made, and the next pass forgets both before it")
    func outpaced() async throws {
        try await TemporaryDirectory.with { directory in
            let store = try open(directory.file("accounts.sqlite"), try keys(Self.old))
            _ = try await store.beginSealing(at: Rows.now)
            try await fill(store)
            try await store.replaceDataKey(at: Rows.now)
            let column = try #require(SealedColumn.all.first)
            let step = try await store.writeStatements {
                try $0.statements.sealRows(of: column, after: nil, limit: 100)
            }
            #expect(step.key == 2)
            // Somebody else's, in the midst of the pass: what was looked at already has the key before it.
            try await store.replaceDataKey(at: Rows.now)
            #expect(try await !store.writeStatements { try $0.statements.noteComplete(of: 2, at: Rows.now) })
            #expect(try await store.sealingStatus().keys.map(\.id) == [1, 2, 3])
            #expect(try await store.sealEverything(at: Rows.now).isComplete)
            #expect(try await store.sealingStatus().keys.map(\.id) == [3])
            try await check(store)
            try store.close()
        }
    }

    @Test("R8.19 a message that can't be opened is given up, and the others are sent")
    func damagedMessage() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let keys = try keys(Self.old)
            let store = try open(path, keys)
            _ = try await store.beginSealing(at: Rows.now)
            try await fill(store)
            try store.close()
            try change(
                path, "UPDATE outbox SET content = (SELECT content FROM outbox WHERE id = 'second') WHERE id = 'first'")
            let again = try open(path, keys)
            let claimed = try await again.write {
                try $0.claimOutbox(.mail, at: Rows.now, leaseEnd: Rows.now + .minutes(1), limit: 4)
            }
            #expect(claimed.map(\.id.rawValue) == ["second"])
            #expect(
                try await again.write {
                    try $0.claimOutbox(.mail, at: Rows.now + .minutes(2), leaseEnd: Rows.now + .minutes(3), limit: 4)
                }.map(\.id.rawValue) == ["second"])
            try again.close()
        }
    }

    // MARK: Keys

    @Test("R8.19 without its master key, or with another, a sealed store is refused in one line, and left as it was")
    func refused() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let keys = try keys(Self.old)
            let store = try open(path, keys)
            _ = try await store.beginSealing(at: Rows.now)
            try await fill(store)
            try store.close()
            let wanted = try #require(keys.current?.id)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            for given in [nil, try self.keys(Self.new)] {
                do {
                    try open(path, given).close()
                    Issue.record("opened")
                } catch let error as AuthError {
                    let reason = error.reason ?? ""
                    #expect(error.code == .unavailable && reason.contains(path) && reason.contains(wanted))
                    #expect(reason.contains(given?.current?.id ?? "none is given"))
                }
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
            }
        }
    }

    @Test("R8.19 a process without the key writes no secret in the clear once another has sealed the store")
    func noWayBack() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let clear = try open(path, nil)
            try await clear.addHome()
            let sealing = try open(path, try keys(Self.old))
            _ = try await sealing.beginSealing(at: Rows.now)
            let refused = await code { try await clear.write { try $0.insert(Self.user("ann")) } }
            #expect(refused == .unavailable)
            #expect(try exposed(path).isEmpty == false, "what was there is not sealed yet")
            #expect(try exposed(path) == ["directories.token_key"])
            try clear.close()
            try sealing.close()
        }
    }

    @Test("R8.19 a new master key wraps the data keys and nothing else; whoever has the database open goes on")
    func rotation() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let running = try open(path, try keys(Self.old))
            _ = try await running.beginSealing(at: Rows.now)
            try await fill(running)
            let operatorsStore = try open(path, try keys(Self.new, Self.old))
            #expect(try await operatorsStore.rotateMasterKey() == 1)
            #expect(try await operatorsStore.rotateMasterKey() == 0)
            try await check(running)
            try await running.write { try $0.insert(Self.user("bob")) }
            let after = try open(path, try keys(Self.new))
            try await check(after)
            #expect(try await after.read { try $0.user(UserID("bob"), in: Rows.home)?.passwordHash } != nil)
            #expect(throws: AuthError.self) { try open(path, try keys(Self.old)).close() }
            for store in [running, operatorsStore, after] { try store.close() }
        }
    }

    @Test("R8.19 every value is sealed anew beside a server that writes, and both read all of it")
    func resealing() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            // As a key file that is changed under a running server.
            let given = Mutex(try keys(Self.old))
            let running = try SQLiteAccountStore(path: path, masterKeys: { given.withLock { $0 } })
            _ = try await running.beginSealing(at: Rows.now)
            try await fill(running)
            for index in 0..<300 { try await running.write { try $0.insert(Self.user("u\(index)")) } }
            let writing = Task {
                var count = 0
                while !Task.isCancelled {
                    let id = "w\(count)"
                    try await running.write { try $0.insert(Self.user(id)) }
                    let found = try await running.read { try $0.user(UserID(id), in: Rows.home) }
                    #expect(found?.passwordHash?.encoded == Self.text("users.password_hash"))
                    count += 1
                }
                return count
            }
            // By then it does write, however busy the machine is.
            defer { writing.cancel() }
            try await eventually("it writes") {
                try await running.read { try $0.user(UserID("w0"), in: Rows.home) } != nil
            }
            let both = try keys(Self.new, Self.old)
            given.withLock { $0 = both }
            let operatorsStore = try open(path, both)
            _ = try await operatorsStore.rotateMasterKey()
            try await operatorsStore.replaceDataKey(at: Rows.now)
            let report = try await operatorsStore.sealEverything(at: Rows.now)
            #expect(report.isComplete && report.damaged == 0 && report.sealed >= 608)
            writing.cancel()
            let count = try await writing.value
            #expect(count > 0)
            let status = try await operatorsStore.sealingStatus()
            #expect(status.keys.map(\.id) == [2])
            #expect(Set(status.counts.map(\.dataKey)) == [2])
            let only = try open(path, try keys(Self.new))
            for store in [running, operatorsStore, only] {
                try await check(store)
                let users = try await store.scan(in: nil) { try $0.users(in: Rows.home, after: nil, limit: 100_000) }
                #expect(users.count == 301 + count)
                #expect(users.allSatisfy { $0.srpVerifier?.verifier.reveal() == Self.secrets["users.srp_verifier"] })
                try store.close()
            }
        }
    }

    @Test("R8.19 one value written twice is sealed under another nonce, and keys do not print")
    func fresh() throws {
        let key = DataKey(id: 1, Secret(SystemRandomSource().bytes(32)))
        let cell = Cell(.verifier, in: "home", row: "ann")
        let texts = try (0..<2).map { _ in try key.seal([1, 2, 3], in: cell, random: SystemRandomSource()) }
        #expect(texts[0] != texts[1])
        for text in texts { #expect(try key.open(text.dropFirst(StoredValue.headerLength), in: cell) == [1, 2, 3]) }
        for other in [
            Cell(.passwordHash, in: "home", row: "ann"), Cell(.verifier, in: "other", row: "ann"),
            Cell(.verifier, in: "home", row: "bob"), Cell(.verifier, in: "home\0ann", row: ""),
        ] {
            #expect(throws: (any Error).self) {
                try key.open(texts[0].dropFirst(StoredValue.headerLength), in: other)
            }
        }
        let master = try #require(try keys(Self.old).current)
        for text in ["\(key)", String(reflecting: key), "\(master)", String(reflecting: master)] {
            #expect(text.contains("[redacted]") && !text.contains(Self.old.reveal()))
        }
    }

    @Test(
        "R8.19 what is no master key is refused without being repeated",
        arguments: ["", "# only a remark", "c2hvcnQ=", "not base64!", String(repeating: "A", count: 43) + "="])
    func noKey(_ text: String) {
        #expect {
            try MasterKeys(parsing: Secret(text))
        } throws: { error in
            (error as? AuthError).map { $0.code == .invalidRequest && (text.isEmpty || !"\($0)".contains(text)) }
                ?? false
        }
    }

    @Test("R8.19 a key file has a key a line, remarks and blanks; the first is current")
    func keyFile() throws {
        let keys = try MasterKeys(
            parsing: Secret("# new\n\(Self.new.reveal())\n\n  \(Self.old.reveal())  \r\n"))
        #expect(keys.all.count == 2)
        #expect(keys.current?.id == (try self.keys(Self.new)).current?.id)
    }
}
