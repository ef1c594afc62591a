// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    /// What an export reads, page by page.
    static let exports: [ConformanceCase] = [
        ConformanceCase("R14.3 a user's sessions, ended ones too, come page by page in order of when they began") {
            world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for (name, second) in [("b", 1), ("a", 2), ("c", 2), ("ended", 3)] as [(String, Int64)] {
                    var session = Sample.session(name, of: user)
                    session.createdAt = Sample.at(second)
                    try tx.insert(session)
                }
                try tx.insert(Sample.session("foreign", of: stranger))
                _ = try tx.revoke(SessionID("ended"), in: world.home, because: .signedOut, at: Sample.now)
            }
            var (seen, position) = ([String](), SessionPosition?.none)
            for _ in 0..<6 {
                let page = try await world.scan { [position] in
                    try $0.everySession(of: user.id, in: world.home, after: position, limit: 1)
                }
                seen += page.map(\.id.rawValue)
                position = page.last.map { SessionPosition(createdAt: $0.createdAt, id: $0.id) } ?? position
            }
            try expectEqual(seen, ["b", "a", "c", "ended"], "pages")
            try expect(
                try await world.scan {
                    try $0.everySession(of: user.id, in: world.other, after: nil, limit: 9).isEmpty
                },
                "elsewhere")
        },
        ConformanceCase(
            "R14.3 what is written down of a user comes page by page, and what comes meanwhile moves nothing"
        ) {
            world in
            let (ann, bob) = (UserID("ann"), UserID("bob"))
            try await world.write { tx in
                for (id, action, second) in [
                    ("1", .signedIn, 9), ("2", .signedIn, 9), ("3", .signedIn, 8), ("4", .signedOut, 1),
                ] as [(String, AuditEvent.Action, Int64)] {
                    var event = Sample.event(id, in: world.home, user: ann)
                    (event.action, event.at) = (action, Sample.at(second))
                    try tx.append(event)
                }
                try tx.append(Sample.event("bob", in: world.home, user: bob))
                try tx.append(Sample.event("elsewhere", in: world.other, user: ann))
                try tx.append(Sample.event("nobody", in: world.home))
            }
            var (seen, position) = ([AuditEvent](), AuditPosition?.none)
            for turn in 0..<4 {
                let page = try await world.scan { [position] in
                    try $0.auditEvents(of: ann, in: world.home, after: position, limit: 2)
                }
                seen += page
                position = page.last.map { AuditPosition(action: $0.action, at: $0.at, id: $0.id) } ?? position
                guard turn == 0 else { continue }
                // Before what was read already.
                var event = Sample.event("0", in: world.home, user: ann)
                event.at = Sample.at(0)
                try await world.write { [event] in try $0.append(event) }
            }
            let wanted = ["3", "1", "2", "4"].sorted {
                ($0 == "4" ? AuditEvent.Action.signedOut : .signedIn).rawValue
                    < ($1 == "4" ? AuditEvent.Action.signedOut : .signedIn).rawValue
            }
            try expectEqual(seen.map(\.id.rawValue), wanted, "events")
        },
        ConformanceCase("R14.3 messages to a recipient come page by page, the newest first") { world in
            try await world.write { tx in
                for (id, second) in [("1", 1), ("2", 2), ("3", 2), ("4", 4)] as [(String, Int64)] {
                    var message = Sample.message(id, in: world.home)
                    message.createdAt = Sample.at(second)
                    try tx.enqueue(message)
                }
                try tx.enqueue(Sample.message("elsewhere", in: world.other))
                try tx.enqueue(
                    OutboxMessage(
                        id: OutboxMessageID("other"), directoryID: world.home,
                        content: .mail(Sample.letter(to: "bob@example.com")), dueAt: Sample.at(1),
                        createdAt: Sample.at(9)))
            }
            var (seen, position) = ([String](), OutboxPosition?.none)
            for _ in 0..<5 {
                let page = try await world.scan { [position] in
                    try $0.outbox(to: "zoe@example.com", in: world.home, after: position, limit: 1)
                }
                seen += page.map(\.id.rawValue)
                position = page.last.map { OutboxPosition(createdAt: $0.createdAt, id: $0.id) } ?? position
            }
            try expectEqual(seen, ["4", "3", "2", "1"], "messages")
        },
        ConformanceCase("R14.3 letters about a user come page by page, wherever they went, and no others") { world in
            @Sendable func message(
                _ id: String, to recipient: String, about user: UserID?, at second: Int64
            ) -> OutboxMessage {
                OutboxMessage(
                    id: OutboxMessageID(id), directoryID: world.home,
                    content: .mail(Letter(kind: "factor_code", recipient: recipient, text: "text", user: user)),
                    dueAt: Sample.at(1), createdAt: Sample.at(second))
            }
            let (ann, bob) = (UserID("ann"), UserID("bob"))
            try await world.write { tx in
                try tx.enqueue(message("1", to: "before@example.com", about: ann, at: 1))
                try tx.enqueue(message("2", to: "factor@example.com", about: ann, at: 2))
                try tx.enqueue(message("3", to: "factor@example.com", about: bob, at: 3))
                try tx.enqueue(message("4", to: "factor@example.com", about: nil, at: 4))
            }
            var (seen, position) = ([String](), OutboxPosition?.none)
            for _ in 0..<3 {
                let page = try await world.scan { [position] in
                    try $0.outbox(about: ann, in: world.home, after: position, limit: 1)
                }
                seen += page.map(\.id.rawValue)
                position = page.last?.position ?? position
            }
            try expectEqual(seen, ["2", "1"], "letters about one")
            let elsewhere = try await world.scan {
                try $0.outbox(about: ann, in: world.other, after: nil, limit: 9)
            }
            try expectEqual(elsewhere.count, 0, "in another Directory")
        },
    ]
}
