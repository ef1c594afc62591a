// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let erasures: [ConformanceCase] = [
        ConformanceCase("G-10.4 what is still to be erased is kept, until it is done or its user's row goes") { world in
            let (user, other) = (try await world.addUser("ann"), try await world.addUser("bob"))
            let position = AuditPosition(action: .signedIn, at: Sample.at(3), id: AuditEventID("e"))
            let full = Erasure(directoryID: world.home, userID: user.id, keepsRow: true, position: position)
            try await world.write { tx in
                try tx.put(Erasure(directoryID: world.home, userID: user.id, keepsRow: false))
                try tx.put(full)
                try tx.put(Erasure(directoryID: world.home, userID: other.id, keepsRow: false))
            }
            try expect(try await world.read { try $0.erasure(of: user.id, in: world.home) } == full, "one")
            try expect(try await world.read { try $0.erasure(of: user.id, in: world.other) } == nil, "elsewhere")
            try expectEqual(try await world.read { try $0.erasures(limit: 9).count }, 2, "all")
            try await world.write { tx in
                _ = try tx.deleteUser(other.id, in: world.home)
                try tx.deleteErasure(of: user.id, in: world.home)
            }
            try expectEqual(try await world.read { try $0.erasures(limit: 9).count }, 0, "none")
        },
        ConformanceCase("G-10.4 activities and sessions are erased so many at a time, and nobody else's") { world in
            let (user, other) = (try await world.addUser("ann"), try await world.addUser("bob"))
            try await world.write { tx in
                for owner in [user, other] {
                    for index in 0..<3 {
                        let name = "\(owner.id.rawValue)-\(index)"
                        try tx.insert(Sample.activity(name, of: owner, at: Sample.now))
                        try tx.insert(Sample.session(name, of: owner))
                    }
                }
            }
            for expected in [2, 1, 0] {
                let counts = try await world.write { tx in
                    [
                        try tx.redactSessions(of: user.id, in: world.home, limit: 2),
                        try tx.eraseActivities(of: user.id, in: world.home, limit: 2),
                    ]
                }
                try expectEqual(counts, [expected, expected], "rows")
            }
            let redacted = try await world.read { try $0.sessions(of: user.id, in: world.home) }
            try expect(redacted.allSatisfy { $0.device == DeviceMetadata() && $0.claims.isEmpty }, "redacted")
            try expect(redacted.allSatisfy(\.methods.isEmpty), "by which mailbox, provider or factor")
            for expected in [2, 1, 0] {
                let count = try await world.write { try $0.eraseSessions(of: user.id, in: world.home, limit: 2) }
                try expectEqual(count, expected, "sessions")
            }
            let left = try await world.read { try $0.sessions(of: other.id, in: world.home) }
            try expectEqual(left.count, 3, "another's sessions")
            try expect(left.allSatisfy { $0.device != DeviceMetadata() && !$0.methods.isEmpty }, "another's devices")
            let activities = try await world.read {
                try $0.activities(of: other.id, in: world.home, matching: ActivityFilter(), after: nil, limit: 9)
            }
            try expectEqual(activities.count, 3, "another's activities")
        },
        ConformanceCase("G-10.4 of a user's events there stays what was done and when, and nothing of another's goes") {
            world in
            let user = UserID("ann")
            let other = Sample.event("other", in: world.home, user: UserID("bob"))
            try await world.write { tx in
                for index in 0..<3 { try tx.append(Sample.event("\(index)", in: world.home, user: user)) }
                var end = Sample.event("end", in: world.home, user: user)
                end.action = .userDeleted
                try tx.append(end)
                try tx.append(other)
            }
            var position: AuditPosition?
            var turns = 0
            repeat {
                position = try await world.write { [position] in
                    try $0.redactAuditEvents(of: user, in: world.home, after: position, limit: 2)
                }
                turns += 1
            } while position != nil && turns < 9
            try expect(turns <= 3, "turns")
            let found = try await world.scan {
                try $0.auditEvents(in: world.home, actions: nil, user: nil, offset: 0, limit: 9)
            }
            for event in found where event.userID == user && event.action != .userDeleted {
                try expect(
                    event.emailHash == nil && event.truncatedAddress == nil && event.userAgent == nil
                        && event.details.isEmpty, "\(event.id)")
            }
            try expectEqual(found.count, 5, "none is gone")
            try expect(found.contains { $0.action == .userDeleted && !$0.details.isEmpty }, "the end")
            try expectSame(found.first { $0.id == other.id }, other, "another's")
        },
        ConformanceCase("G-10.4 who has asked to be deleted is found once it is due, the longest due first") { world in
            for (name, due) in [("ann", 5), ("bob", 3), ("cyd", 9), ("dan", nil)] as [(String, Int64?)] {
                _ = try await world.addUser(name) { $0.deletionDueAt = due.map { Sample.at($0) } }
            }
            let due = try await world.read { try $0.users(dueForDeletionAt: Sample.at(5), limit: 9) }
            try expectEqual(due.map(\.id.rawValue), ["bob", "ann"], "due")
            try expectEqual(due.compactMap(\.deletionDueAt), [Sample.at(3), Sample.at(5)], "when")
            let waiting = try await world.read { try $0.users(waitingForDeletionIn: world.home, limit: 9) }
            try expectEqual(waiting.map(\.id.rawValue), ["bob", "ann", "cyd"], "waiting")
            let first = try await world.read { try $0.users(waitingForDeletionIn: world.home, limit: 1) }
            try expectEqual(first.map(\.id.rawValue), ["bob"], "the first")
            let elsewhere = try await world.read { try $0.users(waitingForDeletionIn: world.other, limit: 9) }
            try expect(elsewhere.isEmpty, "in another Directory")
        },
    ]
}
