// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("Deletion and purge")
struct DeletionTests {
    func ada(_ bench: Bench) async throws -> UserRecord {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        attributes.phone = try PhoneNumber("+41791234567")
        attributes.emailConfirm = true
        attributes.password = Secret("Tr1cky-Enough-Phrase")
        attributes.userMetadata = ["name": "Ada"]
        attributes.appMetadata = ["plan": "pro"]
        attributes.role = "editor"
        return try await UserAdministration(bench.ports).create(attributes, call: bench.call())
    }

    @Test(
        "R66 R67 A deleted user's sessions end, and whoever takes the address inherits nothing",
        arguments: [true, false])
    func recreated(soft: Bool) async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let groups = GroupAdministration(bench.ports)
        let old = try await ada(bench).user
        let session = try await bench.openSession(of: old)
        _ = try await groups.create(name: "admin", call: bench.call())
        try await groups.add(old.id, to: "admin", call: bench.call())
        _ = try await ProfileFlow(bench.ports).register(
            ProfileChanges(name: .set("Ada Lovelace")), of: old.id, call: bench.call())
        _ = try await administration.generateLink(.recovery, email: EmailAddress("ada@example.com"), call: bench.call())

        try await administration.delete(old.id, soft: soft, call: bench.call())
        let revoked = try await bench.ports.store.read { try $0.session(session, in: old.directoryID) }
        #expect(revoked == nil || revoked?.revocation == .deleted)
        #expect(try await administration.list(call: bench.call()).total == 0)

        let new = try await ada(bench).user
        #expect(new.id != old.id)
        let view = try await ProfileFlow(bench.ports).view(new.id, call: bench.call())
        #expect(view.name == "Ada")
        #expect(try await groups.groups(of: new.id, call: bench.call()).isEmpty)
        let (sessions, tokens, identities) = try await bench.ports.store.read { tx in
            (
                try tx.sessions(of: new.id, in: new.directoryID),
                try tx.oneTimeToken(of: new.id, purpose: .recovery, in: new.directoryID),
                try tx.identities(of: new.id, in: new.directoryID)
            )
        }
        #expect(sessions.isEmpty && tokens == nil)
        #expect(identities.allSatisfy { $0.createdAt == new.createdAt })
    }

    @Test("A soft deletion leaves an identifier and a date, nothing personal")
    func softLeavesNothing() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let user = try await ada(bench).user
        try await administration.delete(user.id, soft: true, call: bench.call())
        let left = try await administration.get(user.id, call: bench.call())
        #expect(left.user.deletedAt == bench.now)
        #expect(left.user.email == nil && left.user.phone == nil && left.user.passwordHash == nil)
        #expect(left.user.userMetadata.isEmpty && left.user.appMetadata.isEmpty && left.user.role == nil)
        #expect(left.identities.isEmpty)
        await #expect(throws: AuthError(.userNotFound)) {
            try await administration.update(user.id, UserAttributes(), call: bench.call())
        }
        try await administration.delete(user.id, soft: true, call: bench.call())
        await #expect(throws: AuthError(.userNotFound)) {
            try await ProfileFlow(bench.ports).view(user.id, call: bench.call())
        }
    }

    @Test("The purge removes the soft-deleted once their grace is over, and leaves everybody else")
    func purge() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let gone = try await ada(bench).user
        try await administration.delete(gone.id, soft: true, call: bench.call())
        let staying = try await ada(bench).user
        let reaper = Reaper(store: bench.ports.store)
        let grace = TimeSpan.days(bench.directory.settings.deletionGraceDays)
        #expect(try await reaper.pass(at: bench.now + grace).users == 0)
        #expect(try await reaper.pass(at: bench.now + grace + .seconds(1)).users == 1)
        await #expect(throws: AuthError(.userNotFound)) { try await administration.get(gone.id, call: bench.call()) }
        #expect(try await administration.get(staying.id, call: bench.call()).user.email == staying.email)
    }

    @Test("The purge removes ended sessions, dead links and retired keys, and nothing that lives")
    func purgeRows() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let user = try await ada(bench).user
        let live = try await bench.openSession(of: user)
        let ended = try await bench.openSession(of: user)
        let (directory, now) = (user.directoryID, bench.now)
        try await bench.ports.store.write {
            _ = try $0.revoke(ended, in: directory, because: .signedOut, at: now)
        }
        _ = try await administration.generateLink(.recovery, email: EmailAddress("ada@example.com"), call: bench.call())
        try await bench.ring.rotate(bench.directory, at: bench.now)
        let report = try await Reaper(store: bench.ports.store).pass(at: bench.now + .days(31))
        #expect(report.sessions == 1)
        #expect(report.oneTime == 1)
        #expect(report.signingKeys == 1)
        #expect(report.users == 0)
        #expect(try await bench.ports.store.read { try $0.session(live, in: directory) } != nil)
        #expect(try await Reaper(store: bench.ports.store).pass(at: bench.now + .days(31)).total == 0)
    }

    @Test("G-10.4 each Directory's deleted users are purged by its own grace, whoever waits for longer elsewhere")
    func graces() async throws {
        var settings = DirectorySettings()
        settings.deletionGraceDays = 0
        let bench = try await Bench.make(settings: settings)
        let administration = UserAdministration(bench.ports)
        settings.deletionGraceDays = 3650
        let patient = try await DirectoryAdministration(bench.ports).create(
            name: "patient", settings: settings, at: bench.now)
        // As many as a pass would look at of all Directories together, and gone for longer.
        let waiting = (0..<10_000).map { number in
            var user = User(id: UserID("waiting-\(number)"), directoryID: patient.id, createdAt: bench.now)
            user.deletedAt = bench.now - .days(1)
            return user
        }
        try await bench.ports.store.write { try $0.insert(waiting, with: []) }
        let gone = try await ada(bench).user
        try await administration.delete(gone.id, soft: true, call: bench.call())
        let report = try await Reaper(store: bench.ports.store).pass(at: bench.now + .seconds(1))
        #expect(report.users == 1)
        await #expect(throws: AuthError(.userNotFound)) { try await administration.get(gone.id, call: bench.call()) }
        #expect(try await bench.ports.store.read { try $0.user(waiting[0].id, in: patient.id) } != nil)
    }

    @Test("No turn of the purge removes more sessions with their user than it has rows, and all of them go")
    func purgeOfSessions() async throws {
        var settings = DirectorySettings()
        settings.deletionGraceDays = 0
        let bench = try await Bench.make(settings: settings)
        let user = try await ada(bench).user
        for _ in 0..<25 { _ = try await bench.openSession(of: user) }
        try await UserAdministration(bench.ports).delete(user.id, soft: true, call: bench.call())
        let store = TurnsOnlyStore(bench.ports.store, most: 10)
        let report = try await Reaper(store: store).pass(at: bench.now + .seconds(1))
        #expect(report.users == 26)
        #expect(store.turns == [10, 10, 6])
        #expect(try await bench.ports.store.read { try $0.user(user.id, in: user.directoryID) } == nil)
    }

    @Test("The purge removes users and what is theirs in turns, which others go before")
    func purgeInTurns() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let gone = try await ada(bench).user
        try await administration.delete(gone.id, soft: true, call: bench.call())
        let staying = try await ada(bench).user
        let ended = try await bench.openSession(of: staying)
        let (directory, now) = (staying.directoryID, bench.now)
        try await bench.ports.store.write { _ = try $0.revoke(ended, in: directory, because: .signedOut, at: now) }
        let later = bench.now + .days(365)
        let report = try await Reaper(store: TurnsOnlyStore(bench.ports.store)).pass(at: later)
        #expect(report.users == 1)
        #expect(report.sessions == 1)
    }
}

/// Takes no transaction that writes at once, and notes what each turn of many rows did.
private final class TurnsOnlyStore: ForwardingStore {
    let base: any AccountStoring
    private let most: Int
    private let done = Mutex<[Int]>([])

    /// - Parameter most: rows of a turn.
    init(_ base: any AccountStoring, most: Int = 500) {
        self.base = base
        self.most = most
    }

    /// How many rows each turn did that did any.
    var turns: [Int] { done.withLock { $0.filter { $0 > 0 } } }

    func write<Value: Sendable>(_: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        throw AuthError(.internalFailure, reason: "others would wait for it")
    }

    func writeInTurn<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await base.writeInTurn(body)
    }

    func writeInTurns(
        of most: Int, _ body: @Sendable @escaping (any StoreWriting, Range<Int>) throws -> Int
    ) async throws -> Int {
        var total = 0
        while true {
            let rows = total..<(total + min(most, self.most))
            let count = try await base.writeInTurn { try body($0, rows) }
            done.withLock { $0.append(count) }
            total += count
            if count < rows.count { return total }
        }
    }
}
