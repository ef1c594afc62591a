// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let outbox: [ConformanceCase] = [
        ConformanceCase("messages that are due too late are made due, and no others") { world in
            try await world.write { tx in
                for (id, second) in [("now", 0), ("soon", 5), ("later", 60), ("much later", 600)] {
                    var message = Sample.message(id, in: world.home)
                    message.dueAt = Sample.at(Int64(second))
                    try tx.enqueue(message)
                }
                var sent = Sample.message("sent", in: world.home)
                sent.state = .sent
                sent.dueAt = Sample.at(600)
                try tx.enqueue(sent)
            }
            let count = try await world.write { try $0.hastenOutbox(.mail, dueAfter: Sample.at(5), to: Sample.at(1)) }
            try expectEqual(count, 2, "moved")
            let due = try await world.read { tx in
                try ["now", "soon", "later", "much later", "sent"].map {
                    try tx.outboxMessage(OutboxMessageID($0))?.dueAt
                }
            }
            try expectEqual(due, [0, 5, 1, 1, 600].map { Sample.at($0) }, "due")
        },
        ConformanceCase(
            "messages to a recipient are deleted, owed or not, and nobody else's; and one by its identifier"
        ) {
            world in
            let recipient = Sample.message("x", in: world.home).recipient
            try await world.write { tx in
                var sent = Sample.message("sent", in: world.home)
                sent.state = .sent
                try tx.enqueue(sent)
                try tx.enqueue(Sample.message("owed", in: world.home))
                try tx.enqueue(Sample.message("elsewhere", in: world.other))
                try tx.deleteOutbox(to: "nobody@example.com", in: world.home, includingOwed: true)
            }
            func left() async throws -> Set<String> {
                try await world.read { tx in
                    Set(try ["sent", "owed", "elsewhere"].filter { try tx.outboxMessage(OutboxMessageID($0)) != nil })
                }
            }
            try expectEqual(try await left(), ["sent", "owed", "elsewhere"], "of another recipient")
            try await world.write { try $0.deleteOutbox(to: recipient, in: world.home, includingOwed: false) }
            try expectEqual(try await left(), ["owed", "elsewhere"], "what is not owed")
            try await world.write { try $0.deleteOutbox(to: recipient, in: world.home, includingOwed: true) }
            try expectEqual(try await left(), ["elsewhere"], "of this one")
            try await world.write { try $0.deleteOutboxMessage(OutboxMessageID("elsewhere")) }
            try expectEqual(try await left(), [], "by its identifier")
        },
        ConformanceCase(
            "R10.1 letters about a user that are settled are deleted wherever they went, and nothing of others or to programs"
        ) { world in
            let about = UserID("ann")
            @Sendable func message(
                _ id: String, about user: UserID?, in directory: DirectoryID, _ state: OutboxMessage.State = .sent
            ) -> OutboxMessage {
                var (message, letter) = (Sample.message(id, in: directory), Sample.letter(to: id + "@example.com"))
                letter.user = user
                (message.content, message.state) = (.mail(letter), state)
                return message
            }
            let event = WebhookEvent(endpoint: "hook", name: "user.created", body: [:], user: about)
            let told = OutboxMessage(
                id: OutboxMessageID("event"), directoryID: world.home, content: .webhook(event), state: .sent,
                dueAt: Sample.at(1), createdAt: Sample.at(1))
            let gone = [message("sent", about: about, in: world.home), message("late", about: about, in: world.home)]
            let kept = [
                told, message("owed", about: about, in: world.home, .pending),
                message("bob", about: UserID("bob"), in: world.home), message("nobody", about: nil, in: world.home),
                message("elsewhere", about: about, in: world.other),
            ]
            try await world.write { tx in
                for message in kept + gone.dropLast() { try tx.enqueue(message) }
                // What is settled later says still whom it was about.
                try tx.enqueue(message("late", about: about, in: world.home, .pending))
                for message in gone.suffix(1) { try tx.update(message) }
                try tx.deleteSettledLetters(about: about, in: world.home)
            }
            let left = try await world.read { tx in
                Set(try (kept + gone).map(\.id).filter { try tx.outboxMessage($0) != nil })
            }
            try expectEqual(left, Set(kept.map(\.id)), "what is left")
        },
        ConformanceCase("a message keeps every field, in every channel and state") { world in
            var wanted: [OutboxMessage] = []
            try expectEqual(Sample.contents.count, OutboxMessage.Channel.allCases.count, "channels")
            for content in Sample.contents {
                for state in [OutboxMessage.State.pending, .sent, .failed] {
                    var message = Sample.message("", in: world.home)
                    message.content = content
                    message.state = state
                    message.id = OutboxMessageID("\(message.channel) \(state)")
                    message.createdAt = Sample.at(Int64(-wanted.count))
                    wanted.append(message)
                }
            }
            wanted.append(
                OutboxMessage(
                    id: OutboxMessageID("bare"), directoryID: world.home,
                    content: .sms(Letter(kind: "", recipient: "+491", text: "")), dueAt: Sample.at(0),
                    createdAt: Sample.at(-99)))
            try await world.write { [wanted] tx in
                for message in wanted.reversed() { try tx.enqueue(message) }
            }
            let found = try await world.read { try $0.outbox(in: world.home, recipient: nil, limit: 99) }
            try expectSame(found, wanted, "the newest first")
            for message in wanted {
                let stored = try await world.read { try $0.outboxMessage(message.id) }
                // What is secret prints alike whatever it is.
                try expect(stored?.content == message.content, "content of \(message.id)")
                try expectSame(try await world.read { try $0.outboxMessage(message.id) }, message, "by identifier")
            }
            try expect(try await world.read { try $0.outboxMessage(OutboxMessageID("none")) } == nil, "none")
        },
        ConformanceCase("F23 messages are listed by Directory and by recipient, the newest first") { world in
            try await world.write { tx in
                for (index, name) in ["a", "b", "c", "d", "e"].enumerated() {
                    var message = Sample.message(name, in: index < 3 ? world.home : world.other)
                    message.content = .mail(
                        Sample.letter(to: index.isMultiple(of: 2) ? "ann@example.com" : "bob@example.com"))
                    // "c" and "d" share a time: the identifier decides.
                    message.createdAt = Sample.at(Int64(index == 3 ? 2 : index))
                    try tx.enqueue(message)
                }
            }
            let wanted: [(DirectoryID?, String?, Int, [String])] = [
                (nil, nil, 9, ["e", "d", "c", "b", "a"]), (nil, nil, 2, ["e", "d"]),
                (world.home, nil, 9, ["c", "b", "a"]), (nil, "ann@example.com", 9, ["e", "c", "a"]),
                (world.home, "ann@example.com", 9, ["c", "a"]), (world.home, "ann@example.com", 1, ["c"]),
                (world.other, "bob@example.com", 9, ["d"]), (world.other, "ANN@example.com", 9, []),
                (DirectoryID("none"), nil, 9, []),
            ]
            for (directory, recipient, limit, names) in wanted {
                let found = try await world.read {
                    try $0.outbox(in: directory, recipient: recipient, limit: limit).map(\.id.rawValue)
                }
                try expectEqual(found, names, "\(directory?.rawValue ?? "any") \(recipient ?? "any") \(limit)")
            }
        },
        ConformanceCase("pending messages that are due are claimed, the longest due first") { world in
            try await world.write { tx in
                for (index, name) in ["b", "a", "later", "c"].enumerated() {
                    var message = Sample.message(name, in: index.isMultiple(of: 2) ? world.home : world.other)
                    message.dueAt = Sample.at(["b": 1, "a": 1, "c": 0, "later": 3][name] ?? 9)
                    try tx.enqueue(message)
                }
                for state in [OutboxMessage.State.sent, .failed] {
                    var message = Sample.message(state.rawValue, in: world.home)
                    message.state = state
                    message.dueAt = Sample.at(0)
                    try tx.enqueue(message)
                }
            }
            func claim(_ now: Int64, _ limit: Int) async throws -> [String] {
                let lease = Sample.at(now + 600)
                let claimed = try await world.write {
                    try $0.claimOutbox(.mail, at: Sample.at(now), leaseEnd: lease, limit: limit)
                }
                for message in claimed {
                    try expectEqual(message.dueAt, lease, "lease")
                    try expectSame(try await world.read { try $0.outboxMessage(message.id) }, message, "stored")
                }
                return claimed.map(\.id.rawValue)
            }
            func due() async throws -> Instant? {
                try await world.read { try $0.nextOutboxDue(OutboxMessage.Channel.allCases) }
            }
            try expectEqual(try await due(), Sample.at(0), "due at first")
            try expectEqual(try await claim(-1, 9), [], "too early")
            try expectEqual(try await claim(1, 0), [], "none asked for")
            try expectEqual(try await claim(1, 2), ["c", "a"], "first")
            try expectEqual(try await claim(1, 2), ["b"], "rest")
            try expectEqual(try await claim(2, 2), [], "nothing")
            try expectEqual(try await due(), Sample.at(3), "due then")
            try expectEqual(try await claim(3, 2), ["later"], "later")
            try expectEqual(try await due(), Sample.at(601), "due when the leases end")
            // Whoever claimed it died: it comes back.
            try expectEqual(try await claim(601, 9), ["a", "b", "c"], "after the leases")
        },
        ConformanceCase("of each channel's messages only its own are claimed, and hastened") { world in
            try await world.write { tx in
                for content in Sample.contents {
                    var message = Sample.message("", in: world.home)
                    message.content = content
                    message.id = OutboxMessageID(message.channel.rawValue)
                    message.dueAt = Sample.at(9)
                    try tx.enqueue(message)
                }
            }
            for channel in OutboxMessage.Channel.allCases {
                let moved = try await world.write {
                    try $0.hastenOutbox(channel, dueAfter: Sample.at(1), to: Sample.at(1))
                }
                try expectEqual(moved, 1, "moved")
                let claimed = try await world.write { tx in
                    try OutboxMessage.Channel.allCases.flatMap {
                        try tx.claimOutbox($0, at: Sample.at(1), leaseEnd: Sample.at(600), limit: 9)
                    }
                }
                try expectEqual(claimed.map(\.channel), [channel], "claimed")
                try expect(Sample.contents.contains { $0 == claimed.first?.content }, "content")
            }
        },
        ConformanceCase(
            "R14.6 what one endpoint is told of one user is claimed in order, each once the one before is settled"
        ) {
            world in
            @Sendable func event(_ id: String, _ user: String, _ endpoint: String = "hook") -> OutboxMessage {
                var message = Sample.message(id, in: world.home)
                message.content = .webhook(
                    WebhookEvent(endpoint: endpoint, name: "user.updated", body: [:], user: UserID(user)))
                // The later one may be due earlier, and its identifier may sort first: neither decides.
                message.dueAt = Sample.at(id == "a2" ? 0 : 1)
                return message
            }
            let messages = [
                event("z1", "ada"), event("a2", "ada"), event("m3", "ada"), event("b1", "bob"),
                event("o1", "ada", "other"),
            ]
            try await world.write { tx in for message in messages { try tx.enqueue(message) } }
            func claim(_ now: Int64 = 1) async throws -> [String] {
                try await world.write {
                    try $0.claimOutbox(.webhook, at: Sample.at(now), leaseEnd: Sample.at(now + 600), limit: 9)
                        .map(\.id.rawValue).sorted()
                }
            }
            func settle(_ message: OutboxMessage, _ state: OutboxMessage.State, due: Int64 = 1) async throws {
                var message = message
                message.state = state
                message.dueAt = Sample.at(due)
                try await world.write { [message] in try $0.update(message) }
            }
            let due = try await world.read { try $0.nextOutboxDue(OutboxMessage.Channel.allCases) }
            try expectEqual(due, Sample.at(1), "due: not what waits")
            let mails = try await world.read { try $0.nextOutboxDue([.mail, .sms]) }
            try expectEqual(mails, nil, "due: of other channels")
            try expectEqual(try await claim(), ["b1", "o1", "z1"], "the first of each")
            try expectEqual(try await claim(), [], "while they are under way")
            try await settle(messages[0], .pending, due: 30)
            try expectEqual(try await claim(29), [], "while the first is deferred")
            try expectEqual(try await claim(30), ["z1"], "tried again")
            try await settle(messages[0], .sent)
            try expectEqual(try await claim(30), ["a2"], "the second, once the first is sent")
            try await world.write { try $0.enqueue(event("c4", "ada")) }
            try await settle(messages[1], .failed)
            try expectEqual(try await claim(30), ["m3"], "the third, once the second is given up")
            try await world.write { try $0.deleteOutboxMessage(OutboxMessageID("m3")) }
            try expectEqual(try await claim(30), ["c4"], "the fourth, once the third is gone")
            try await settle(event("c4", "ada"), .sent)
            try await world.write { try $0.enqueue(event("d5", "ada")) }
            try expectEqual(try await claim(30), ["d5"], "one that waits for none")
        },
        ConformanceCase("of 20 workers that claim at once, no two get one message") { world in
            try await world.write { tx in
                for index in 0..<60 { try tx.enqueue(Sample.message("\(index)", in: world.home)) }
            }
            let claimed = try await race(20) { _ in
                var own: [String] = []
                while true {
                    let batch = try await world.write {
                        try $0.claimOutbox(.mail, at: Sample.at(1), leaseEnd: Sample.at(600), limit: 4)
                    }
                    own += batch.map(\.id.rawValue)
                    // More than there are would come from a store that hands out the same ones for ever.
                    guard !batch.isEmpty, own.count <= 60 else { return own }
                }
            }.flatMap { $0 }
            try expectEqual(claimed.count, 60, "messages claimed")
            try expectEqual(Set(claimed).count, 60, "messages claimed once")
        },
        ConformanceCase("a message is tried again when it is due, and not after it was sent or given up") { world in
            var message = Sample.message("one", in: world.home)
            message.attempts = 0
            message.sentAt = nil
            message.lastError = nil
            try await world.write { [message] in try $0.enqueue(message) }
            func claim(_ now: Int64) async throws -> Int {
                try await world.write {
                    try $0.claimOutbox(.mail, at: Sample.at(now), leaseEnd: Sample.at(now + 600), limit: 9).count
                }
            }
            func settle(_ change: (inout OutboxMessage) -> Void) async throws {
                change(&message)
                try await world.write { [message] in try $0.update(message) }
                try expectSame(
                    try await world.read { [message] in try $0.outboxMessage(message.id) }, message, "settled")
            }
            try expectEqual(try await claim(1), 1, "first attempt")
            try await settle {
                $0.attempts = 1
                $0.dueAt = Sample.at(30)
                $0.lastError = "451 busy"
            }
            try expectEqual(try await claim(29), 0, "before the second attempt")
            try expectEqual(try await claim(30), 1, "second attempt")
            try await settle {
                $0.attempts = 2
                $0.state = .sent
                $0.sentAt = Sample.at(31)
                $0.dueAt = Sample.at(31)
                $0.lastError = nil
                $0.content = .mail(Letter(kind: "recovery", recipient: "zoe@example.com", text: ""))
            }
            try expectEqual(try await claim(1_000_000), 0, "after it was sent")
            try await settle { $0.state = .failed }
            try expectEqual(try await claim(1_000_000), 0, "after it was given up")
            try expect(
                try await world.read { try $0.nextOutboxDue(OutboxMessage.Channel.allCases) } == nil, "something is due"
            )
            try await settle { $0.state = .pending }
            try expectEqual(try await claim(1_000_000), 1, "pending again")
            try await expectStale("a message that is not there") {
                try await world.write { try $0.update(Sample.message("none", in: world.home)) }
            }
        },
        ConformanceCase("the purge takes finished messages, never pending ones, so many at a time") { world in
            try await world.write { tx in
                for state in [OutboxMessage.State.pending, .sent, .failed] {
                    for index in 0..<3 {
                        var message = Sample.message("\(state) \(index)", in: world.home)
                        message.state = state
                        message.createdAt = Sample.at(-100)
                        message.dueAt = Sample.at(Int64(index))
                        message.sentAt = state == .sent ? Sample.at(Int64(index)) : nil
                        try tx.enqueue(message)
                    }
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeOutbox(finishedBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual(try await purge(3), 3, "first")
            try expectEqual(try await purge(3), 1, "rest")
            try expectEqual(try await purge(3), 0, "nothing")
            let left = try await world.read { try $0.outbox(in: nil, recipient: nil, limit: 99).map(\.id.rawValue) }
            try expectEqual(
                left.sorted(), ["failed 2", "pending 0", "pending 1", "pending 2", "sent 2"], "left")
        },
    ]
}
