// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Foundation
import Logging
import TestBench
import Testing

@testable import Accounts

@Suite struct EventTests {
    private static let secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
    private static let second = "v1,whsec_YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODk="

    private static func hooks(
        _ receiver: HookReceiver, events: Set<AccountEvent>? = nil, directory: String = "default"
    ) throws -> Hooks {
        Hooks(subscriptions: [
            EventSubscription(
                name: "backend", directory: directory, events: events,
                secrets: [try WebhookSecret(secret), try WebhookSecret(second)], caller: receiver)
        ])
    }

    private func worker(_ bench: AccountBench, _ hooks: Hooks) -> OutboxWorker {
        OutboxWorker(
            store: bench.ports.store, random: bench.ports.random,
            transports: OutboxTransports(mail: nil, texts: nil, webhooks: EventDelivery(hooks)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func user(_ bench: AccountBench, _ email: String = "ada@example.com") async throws -> UserRecord {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.password = Secret(AccountBench.password)
        return try await UserAdministration(bench.ports).create(attributes, call: bench.call())
    }

    private func delete(_ user: UserRecord, _ bench: AccountBench, soft: Bool = true) async throws {
        try await UserAdministration(bench.ports).delete(user.user.id, soft: soft, call: bench.call())
    }

    @Test("R14.6 the app's backend hears of a deletion, hard or soft, by identifiers and nothing else of the person")
    func deletion() async throws {
        for soft in [true, false] {
            let receiver = HookReceiver()
            let hooks = try Self.hooks(receiver)
            let bench = try await AccountBench(hooks: hooks)
            var call = bench.call()
            call.dialect = DialectName("elsewhere")
            call.identifierLength = 28
            var attributes = UserAttributes()
            attributes.email = try EmailAddress("ada@example.com")
            let made = try await UserAdministration(bench.ports).create(attributes, call: call)
            try await delete(made, bench, soft: soft)
            #expect(await worker(bench, hooks).deliverDue(at: bench.now) == nil)
            #expect(receiver.received.map(\.type) == ["user.created", "user.deleted"])
            let told = try #require(receiver.received.last)
            #expect(told.data["user_id"]?.stringValue == made.user.id.rawValue)
            let identifiers = told.data["identifiers"]?.objectValue
            #expect(identifiers?["elsewhere"]?.stringValue == made.user.identifier(in: DialectName("elsewhere")))
            #expect(told.data["actor"]?.stringValue == "administrator")
            #expect(told.object["timestamp"]?.stringValue == bench.now.rfc3339)
            for received in receiver.received {
                #expect(!String(decoding: received.body, as: UTF8.self).contains("ada"))
            }
        }
    }

    @Test("R14.6 each key signs identifier, time and body, as the specification's own scheme checks it")
    func signatures() async throws {
        let receiver = HookReceiver()
        let hooks = try Self.hooks(receiver)
        let bench = try await AccountBench(hooks: hooks)
        _ = try await user(bench)
        _ = await worker(bench, hooks).deliverDue(at: bench.now)
        let told = try #require(receiver.received.first)
        #expect(told.fields["webhook-timestamp"] == "\(bench.now.seconds)")
        let signatures = (told.fields["webhook-signature"] ?? "").split(separator: " ")
        #expect(signatures.count == 2)
        for (text, signature) in zip([Self.secret, Self.second], signatures) {
            let encoded = text.components(separatedBy: "whsec_")[1]
            let key = SymmetricKey(data: try #require(Data(base64Encoded: encoded)))
            let signed = Data("\(told.id).\(bench.now.seconds).".utf8) + Data(told.body)
            let wanted = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
            #expect(signature == "v1,\(wanted)")
        }
    }

    @Test(
        "R14.6 a key that is too short, too long, in another form or version is refused, and not repeated",
        arguments: [
            "", "whsec_", "whsec_c2hvcnQ=", "v1a,whsk_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "whsec_!!!!",
        ])
    func refusedSecrets(_ text: String) throws {
        let error = #expect(throws: AuthError.self) { try WebhookSecret(text) }
        #expect(error?.code == .invalidRequest)
        if text.count > 8 { #expect(error?.reason?.contains(text.dropFirst(8)) == false) }
    }

    @Test(
        "R14.6 what is rolled back is told to nobody, and who asked for some events or another Directory's gets no others"
    )
    func chosen() async throws {
        let receiver = HookReceiver()
        let hooks = try Self.hooks(receiver, events: [.userDeleted])
        let bench = try await AccountBench(hooks: hooks)
        let made = try await user(bench)
        await #expect(throws: AuthError.self) { try await user(bench) }
        _ = await worker(bench, hooks).deliverDue(at: bench.now)
        #expect(receiver.received.isEmpty)
        try await delete(made, bench)
        _ = await worker(bench, hooks).deliverDue(at: bench.now)
        #expect(receiver.received.map(\.type) == ["user.deleted"])

        let others = HookReceiver()
        let elsewhere = try Self.hooks(others, directory: "other")
        let second = try await AccountBench(hooks: elsewhere)
        _ = try await user(second)
        #expect(await worker(second, elsewhere).deliverDue(at: second.now) == nil)
        #expect(others.received.isEmpty)
    }

    @Test(
        "R14.6 while a program fails, what it is told of one user waits in order, and others' goes on; identifiers stay"
    )
    func order() async throws {
        let failing = Mutex<Set<String>>([])
        let receiver = HookReceiver { received throws(HookCallFailure) in
            let user = received.data["user_id"]?.stringValue ?? ""
            return HookReply(status: failing.withLock { $0.contains(user) } ? 503 : 200)
        }
        let hooks = try Self.hooks(receiver)
        let bench = try await AccountBench(hooks: hooks)
        let (ada, bob) = (try await user(bench), try await user(bench, "bob@example.com"))
        failing.withLock { _ = $0.insert(ada.user.id.rawValue) }
        try await delete(ada, bench)
        try await delete(bob, bench)
        let worker = worker(bench, hooks)
        let due = try #require(await worker.deliverDue(at: bench.now))
        #expect(due > bench.now)
        func told(_ user: UserRecord) -> [HookReceiver.Received] {
            receiver.received.filter { $0.data["user_id"]?.stringValue == user.user.id.rawValue }
        }
        #expect(told(bob).map(\.type) == ["user.created", "user.deleted"])
        #expect(told(ada).map(\.type) == ["user.created"])
        failing.withLock { $0.removeAll() }
        #expect(await worker.deliverDue(at: due) == nil)
        #expect(told(ada).map(\.type) == ["user.created", "user.created", "user.deleted"])
        let identifiers = told(ada).map(\.id)
        #expect(identifiers[0] == identifiers[1] && identifiers[1] != identifiers[2])
    }

    @Test("R14.6 of 8 workers at once over 20 users, each hears of each user in order and of nothing twice")
    func concurrentOrder() async throws {
        let receiver = HookReceiver()
        let hooks = try Self.hooks(receiver)
        let bench = try await AccountBench(hooks: hooks)
        for index in 0..<20 { try await delete(try await user(bench, "user\(index)@example.com"), bench) }
        await withTaskGroup { group in
            for _ in 0..<8 {
                let worker = worker(bench, hooks)
                let now = bench.now
                group.addTask { _ = await worker.deliverDue(at: now) }
            }
        }
        #expect(receiver.received.count == 40)
        #expect(Set(receiver.received.map(\.id)).count == 40)
        let byUser = Dictionary(grouping: receiver.received) { $0.data["user_id"]?.stringValue ?? "" }
        #expect(byUser.count == 20)
        for told in byUser.values { #expect(told.map(\.type) == ["user.created", "user.deleted"]) }
    }

    @Test("R14.6 a worker that dies with a message in hand gives it back, and what follows has waited for it")
    func crash() async throws {
        let receiver = HookReceiver()
        let hooks = try Self.hooks(receiver)
        let bench = try await AccountBench(hooks: hooks)
        try await delete(try await user(bench), bench)
        let now = bench.now
        let taken = try await bench.ports.store.write {
            try $0.claimOutbox(.webhook, at: now, leaseEnd: now + OutboxWorker.lease, limit: 4).count
        }
        #expect(taken == 1)
        let worker = worker(bench, hooks)
        #expect(await worker.deliverDue(at: now) == now + OutboxWorker.lease)
        #expect(receiver.received.isEmpty)
        #expect(await worker.deliverDue(at: now + OutboxWorker.lease) == nil)
        #expect(receiver.received.map(\.type) == ["user.created", "user.deleted"])
    }

    @Test(
        "R14.6 an event is tried for three days and then kept for the operator; 410 ends it at once; the next goes out")
    func givenUp() async throws {
        for (status, tries) in [(500, 2...40), (302, 2...40), (410, 1...1)] {
            let receiver = HookReceiver { received throws(HookCallFailure) in
                HookReply(status: received.type == "user.created" ? status : 200)
            }
            let hooks = try Self.hooks(receiver)
            let bench = try await AccountBench(hooks: hooks)
            try await delete(try await user(bench), bench)
            let worker = worker(bench, hooks)
            var next = await worker.deliverDue(at: bench.now)
            while let due = next { next = await worker.deliverDue(at: due) }
            #expect(tries.contains(receiver.received.count { $0.type == "user.created" }))
            #expect(receiver.received.last?.type == "user.deleted")
            let messages = try await OutboxInspection(bench.ports).messages(limit: 9)
            let given = try #require(messages.first { $0.state == .failed })
            #expect(given.kind == "user.created" && given.lastError == "status \(status)")
            guard case .webhook(let event) = given.content else { throw StoreConflict.stale("content") }
            #expect(event.body["type"]?.stringValue == "user.created")
        }
    }

    @Test("R14.6 every event is an action of the audit log")
    func everyEvent() {
        let told = Set(AuditEvent.Action.allKnown.compactMap { AccountEvent($0) })
        #expect(told == Set(AccountEvent.allCases))
    }
}
