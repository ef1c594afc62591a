// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import AuthTypes
import Foundation
import Logging
import Mail
import TestBench
import Testing

@testable import Accounts

/// What is left of somebody in the file of the database itself.
@Suite("Erasure") struct ErasureTests {
    enum Way: CaseIterable {
        /// Not at all: shows that what is looked for would be found.
        case kept
        case ownWish
        case soft
        case hard
        case purge
        /// At their own wish, once the time of grace was over.
        case grace
        case directory
    }

    private static let agent = "Quaggabrowser/7.1 (Zebedee)"
    /// Each is in a place of its own.
    private static let traces = [
        "zebedee@quagga.example", "pending@quagga.example", "41791234567", "Zebedee Quagga", "quagga-nickname",
        "quagga-plan", "quagga-phone", "QuaggaOS", "quagga-app", "Quaggabrowser", "192.0.2.0/24", "quagga-yoga",
        "Sun salutation", "quagga-attribute", "zebedee-quagga", "quagga-portrait", "quagga-claim",
        // Where messages went that are sent: an address of before, and those of second factors.
        "former@quagga.example", "factor@quagga.example", "41797654321",
        "quagga-subject", "quagga-provider", "quagga-sms", "quagga-mail",
    ]

    @Test("R10.1 G-10.4 however an account is deleted, nothing of its person is in the file", arguments: Way.allCases)
    func nothingIsLeft(way: Way) async throws {
        let bench = try await Bench.make()
        let user = try await person(bench)
        try await delete(user, way, bench)
        let transport = RecordingTransport()
        if way != .kept { _ = await worker(bench, transport).deliverDue(at: bench.now + .hours(1)) }
        // Who leaves is told by every way in; what else was owed to them goes with the account.
        let told = way == .ownWish || way == .grace ? 1 : 0
        #expect(transport.sent.count == told && transport.texts.count == told)
        let store = try #require(bench.ports.store as? SQLiteAccountStore)
        // In the file with its free pages, and in the log beside it, of a store that goes on.
        #expect(try await store.emptyLog())
        let file = try Data(contentsOf: bench.accounts.database)
        let log = try Data(contentsOf: URL(fileURLWithPath: bench.accounts.database.path + "-wal"))
        for trace in Self.traces {
            #expect((file.range(of: Data(trace.utf8)) != nil) == (way == .kept), "\(trace)")
            #expect(log.range(of: Data(trace.utf8)) == nil, "\(trace) in the log")
        }
        let events = try await store.scan(in: nil) {
            try $0.auditEvents(in: bench.directory.id, actions: nil, user: user.id, offset: 0, limit: 100)
        }
        guard way != .kept, way != .directory else { return }
        #expect(events.contains { $0.action == .userDeleted })
        #expect(events.allSatisfy { $0.emailHash == nil && $0.truncatedAddress == nil && $0.userAgent == nil })
        #expect(events.allSatisfy { $0.action == .userDeleted || $0.details.isEmpty })
        let lockouts = try await store.read { try $0.lockouts(of: user.id, in: bench.directory.id) }
        #expect(lockouts.isEmpty)
    }

    @Test("R10.1 G-10.4 what is owed elsewhere when an account goes is sent all the same, and forgotten then")
    func owedElsewhere() async throws {
        let bench = try await Bench.make()
        let user = try await person(bench)
        bench.accounts.advance(by: .minutes(2))
        var moved = UserAttributes()
        moved.email = try EmailAddress("latest@quagga.example")
        _ = try await UserAdministration(bench.ports).update(user.id, moved, call: call(bench))
        let administration = UserAdministration(bench.ports)
        try await administration.delete(user.id, soft: false, call: call(bench))
        // Whoever takes an account over and deletes it does not keep its owner from hearing of it.
        let owed = try await bench.accounts.messages(to: "zebedee@quagga.example", kind: "email_changed")
        #expect(owed.count == 1 && owed.allSatisfy { $0.state == .pending })
        let transport = RecordingTransport()
        _ = await worker(bench, transport).deliverDue(at: bench.now)
        #expect(
            transport.sent.contains {
                $0.recipient.rawValue == "zebedee@quagga.example" && $0.subject.contains("changed")
            })
        let id = bench.directory.id
        let left = try await bench.ports.store.read { try $0.outbox(in: id, recipient: nil, limit: 50) }
        #expect(left.isEmpty, "\(left.map(\.recipient))")
    }

    @Test("R10.1 what is owed to an address that another account has is not deleted with the first")
    func sharedOutbox() async throws {
        let bench = try await Bench.make()
        let user = try await person(bench)
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("pending@quagga.example")
        let administration = UserAdministration(bench.ports)
        let other = try await administration.create(attributes, call: bench.call()).user
        _ = try await administration.invite(email: EmailAddress("pending@quagga.example"), call: bench.call())
        try await administration.delete(user.id, soft: true, call: bench.call())
        func owed() async throws -> Int { try await bench.accounts.messages(to: "pending@quagga.example").count }
        #expect(try await owed() > 0)
        try await administration.delete(other.id, soft: false, call: bench.call())
        #expect(try await owed() == 0)
    }

    private func call(_ bench: Bench, actor: AuditEvent.Actor = .commandLine) -> CallContext {
        var call = bench.call(actor: actor)
        call.dialect = DialectName("quagga")
        call.device = DeviceMetadata(
            name: "quagga-phone", operatingSystem: "QuaggaOS 9", appVersion: "quagga-app 3", userAgent: Self.agent)
        return call
    }

    /// Somebody of whom every table has a row.
    private func person(_ bench: Bench) async throws -> User {
        let administration = UserAdministration(bench.ports)
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("former@quagga.example")
        attributes.phone = try PhoneNumber("+41791234567")
        attributes.username = try Username("zebedee-quagga")
        attributes.emailConfirm = true
        attributes.phoneConfirm = true
        attributes.password = Secret("Tr1cky-Enough-Phrase")
        attributes.userMetadata = ["name": "Zebedee Quagga", "nickname": "quagga-nickname"]
        attributes.appMetadata = ["plan": "quagga-plan"]
        attributes.attributes = ["x": "quagga-attribute"]
        let user = try await administration.create(attributes, call: call(bench)).user
        var moved = UserAttributes()
        moved.email = try EmailAddress("zebedee@quagga.example")
        moved.identities = [
            try GivenIdentity(name: "google", subject: "quagga-subject", data: ["name": "quagga-provider"])
        ]
        _ = try await administration.update(user.id, moved, call: call(bench))
        var factors: [Factor] = []
        for (name, credential) in [
            ("quagga-sms", Factor.Credential.phone(try PhoneNumber("+41797654321"))),
            ("quagga-mail", .email(try EmailAddress("factor@quagga.example"))),
        ] {
            factors.append(
                try await FactorAdministration(bench.ports).add(
                    credential, named: name, to: user.id, call: call(bench)))
        }
        // The change has ended what was given until then.
        bench.accounts.advance(by: .seconds(2))
        for name in ["live", "ended"] {
            let (family, _) = RefreshTokenFamily.open(for: SessionID(name), secret: bench.ports.random.bytes(24))
            let session = Session(
                id: SessionID(name), directoryID: user.directoryID, userID: user.id,
                device: DeviceMetadata(
                    name: "quagga-phone", operatingSystem: "QuaggaOS 9", appVersion: "quagga-app 3",
                    userAgent: Self.agent, truncatedAddress: "192.0.2.0/24"),
                methods: [], assurance: .aal1, createdAt: bench.now, lastActiveAt: bench.now, notAfter: nil,
                family: family, claims: ["x": "quagga-claim"])
            try await bench.ports.store.write { tx in
                try tx.insert(session)
                if name == "ended" {
                    _ = try tx.revoke(session.id, in: user.directoryID, because: .signedOut, at: bench.now)
                }
            }
        }
        try await bench.ports.store.write { tx in
            try tx.upsert(
                Profile(
                    userID: user.id, directoryID: user.directoryID, name: "Zebedee Quagga", picture: "quagga-portrait",
                    updatedAt: bench.now))
            try tx.insert(
                Activity(
                    id: ActivityID("one"), directoryID: user.directoryID, userID: user.id, type: "quagga-yoga",
                    description: "Sun salutation", durationSeconds: 60, at: bench.now))
        }
        try await bench.ports.store.write { tx in
            try tx.put(
                Lockout(
                    key: [UInt8](repeating: 7, count: 16), directoryID: user.directoryID, userID: user.id,
                    lockedAt: bench.now, truncatedAddress: "192.0.2.0/24"), until: bench.now + .days(1))
        }
        for factor in factors {
            _ = try await ChallengeFactor(bench.ports)(
                factor.id, of: try await signedIn(user, bench), call: withFactors(call(bench, actor: .user(user.id))))
        }
        _ = await worker(bench, RecordingTransport()).deliverDue(at: bench.now)
        // Messages that are owed, to the address there is and to the one that is wished for.
        _ = try await administration.generateLink(
            .recovery, email: EmailAddress("zebedee@quagga.example"), call: call(bench))
        try await RequestRecovery(bench.ports)(
            .email(EmailAddress("zebedee@quagga.example")), redirectTo: nil, call: call(bench))
        try await RequestMagicLink(bench.ports)(
            EmailAddress("zebedee@quagga.example"), userMetadata: ["x": "quagga-nickname"], call: call(bench))
        var changes = UserChanges()
        changes.email = try EmailAddress("pending@quagga.example")
        let before = try await administration.get(user.id, call: call(bench))
        _ = try await UpdateUser(bench.ports)(
            changes, of: try await signedIn(before.user, bench), call: call(bench, actor: .user(user.id)))
        return try await administration.get(user.id, call: call(bench)).user
    }

    private func withFactors(_ call: CallContext) -> CallContext {
        var call = call
        (call.directory.settings.factors.phone, call.directory.settings.factors.email) = (.on, .on)
        return call
    }

    private func worker(_ bench: Bench, _ transport: RecordingTransport) -> OutboxWorker {
        OutboxWorker(
            store: bench.ports.store, random: bench.ports.random,
            transports: OutboxTransports(mail: transport, texts: transport),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func signedIn(_ user: User, _ bench: Bench) async throws -> AuthenticatedUser {
        try await SessionAuthentication(bench.ports)(user: user.id, session: SessionID("live"), call: call(bench))
    }

    private func delete(_ user: User, _ way: Way, _ bench: Bench) async throws {
        let administration = UserAdministration(bench.ports)
        switch way {
        case .kept: break
        case .ownWish:
            let outcome = try await DeleteAccount(bench.ports)(
                try await signedIn(user, bench), asksForProof: false, call: call(bench, actor: .user(user.id)))
            #expect(outcome == .deleted)
        case .grace:
            var asked = call(bench, actor: .user(user.id))
            asked.directory.settings.deletion.grace = 3600
            let outcome = try await DeleteAccount(bench.ports)(
                try await signedIn(user, bench), asksForProof: false, call: asked)
            #expect(outcome == .due(bench.now + .hours(1)))
            #expect(try await DueDeletions(bench.ports, links: PlainLinks()).pass(at: bench.now + .hours(1)) == 1)
        case .soft: try await administration.delete(user.id, soft: true, call: call(bench))
        case .hard: try await administration.delete(user.id, soft: false, call: call(bench))
        case .purge:
            try await administration.delete(user.id, soft: true, call: call(bench))
            _ = try await Reaper(store: bench.ports.store).pass(at: bench.now + .days(31))
        case .directory: try await DirectoryAdministration(bench.ports).delete(bench.directory.id)
        }
    }
}
