// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// How users are changed and deleted, also by several at once.
extension StoreConformance {
    static let userChanges: [ConformanceCase] = [
        ConformanceCase("of 50 sign-ups with one address at once, one succeeds") { world in
            let email = try EmailAddress("a@example.com")
            let created = try await race(50) { index in
                do {
                    try await world.addUser("user-\(index)") { $0.email = email }
                    return true
                } catch StoreConflict.duplicate("user.email") {
                    return false
                }
            }
            try expectEqual(created.count { $0 }, 1, "users created")
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 1, "count")
        },
        ConformanceCase("an update writes every field but the identifiers, and raises the version") { world in
            var changed = try Sample.user("ann", in: world.home)
            try await world.addUser("ann", called: changed.externalIdentifiers.json)
            changed.createdAt = Sample.now
            changed.version = 1
            let raised = try await world.write { [changed] in try $0.update(changed) }
            changed.version = 2
            try expectSame(raised, changed, "returned")
            let stored = try await world.read { [changed] in try $0.user(changed.id, in: world.home) }
            try expectSame(stored, changed, "stored")
        },
        ConformanceCase("a sign-in writes its time and language, and nothing else of its user") { world in
            let stored = try Sample.user("ann", in: world.home)
            try await world.write { try $0.insert(stored) }
            var signedIn = stored
            (signedIn.lastSignInAt, signedIn.language) = (Sample.at(70), .en)
            signedIn.updatedAt = Sample.at(71)
            var given = signedIn
            (given.role, given.email, given.passwordHash) = ("not written", nil, nil)
            given.userMetadata = [:]
            try await world.write { [given] in _ = try $0.noteSignIn(of: given) }
            signedIn.version = stored.version + 1
            try expectSame(try await world.read { try $0.user(stored.id, in: world.home) }, signedIn, "stored")
            try await expectStale("a version that has gone") {
                try await world.write { [given] in _ = try $0.noteSignIn(of: given) }
            }
        },
        ConformanceCase("of 50 updates from one version at once, one succeeds") { world in
            let user = try await world.addUser("ann")
            let updated = try await race(50) { index in
                var changed = user
                changed.role = "role \(index)"
                do {
                    try await world.write { [changed] in try $0.update(changed) }
                    return true
                } catch StoreConflict.stale {
                    return false
                }
            }
            try expectEqual(updated.count { $0 }, 1, "updates")
            try expectEqual(try await world.read { try $0.user(user.id, in: world.home)?.version }, 2, "version")
            try await expectStale("a user who is not there") {
                let nobody = User(id: UserID("none"), directoryID: world.home, createdAt: Sample.now)
                try await world.write { try $0.update(nobody) }
            }
        },
        ConformanceCase("a soft-deleted user is found by identifier only, and frees their address") { world in
            let full = try Sample.user("ann", in: world.home)
            try await world.write { try $0.insert(full) }
            var gone = full
            gone.deletedAt = Sample.at(100)
            gone = try await world.write { [gone] in try $0.update(gone) }
            try await world.scan { [gone] tx in
                try expectSame(try tx.user(gone.id, in: world.home), gone, "by identifier")
                guard let email = gone.email, let phone = gone.phone else { return }
                try expect(try tx.user(email: email, in: world.home) == nil, "by email")
                try expect(try tx.user(phone: phone, in: world.home) == nil, "by phone")
                try expect(try tx.users(in: world.home, search: nil, offset: 0, limit: 9).isEmpty, "in the list")
                try expect(try tx.users(in: world.home, search: "ann", offset: 0, limit: 9).isEmpty, "by search")
                try expect(try tx.users(in: world.home, after: nil, limit: 9).isEmpty, "in the export")
                try expectEqual(try tx.userCount(in: world.home), 0, "count")
            }
            let heir = try await world.addUser("heir") {
                $0.email = gone.email
                $0.phone = gone.phone
            }
            // Who comes back finds the address taken. Which of two conflicts is named is the store's affair.
            var back = gone
            back.deletedAt = nil
            back.phone = nil
            back.sharesEmail = false
            try await expectConflict(.duplicate("user.email"), "back") { [back] in
                _ = try await world.write { try $0.update(back) }
            }
            try expectEqual(try await world.read { try $0.userCount(in: heir.directoryID) }, 1, "count")
        },
        ConformanceCase("soft-deleted users of a Directory are handed to the purge, the longest gone first") { world in
            for (index, name) in ["c", "a", "b", "live"].enumerated() {
                try await world.addUser(name) { $0.deletedAt = name == "live" ? nil : Sample.at(Int64(index)) }
            }
            try await world.addUser("z", in: world.other) { $0.deletedAt = Sample.at(-1) }
            let due = try await world.read { try $0.usersDeleted(in: world.home, before: Sample.at(2), limit: 9) }
            try expectEqual(due.map(\.rawValue), ["c", "a"], "due")
            let one = try await world.read { try $0.usersDeleted(in: world.home, before: Sample.at(2), limit: 1) }
            try expectEqual(one.map(\.rawValue), ["c"], "limited")
            let others = try await world.read { try $0.usersDeleted(in: world.other, before: Sample.at(0), limit: 9) }
            try expectEqual(others.map(\.rawValue), ["z"], "elsewhere")
            try await world.write { tx in
                try tx.put(Erasure(directoryID: world.home, userID: UserID("c"), keepsRow: true))
            }
            let left = try await world.read { try $0.usersDeleted(in: world.home, before: Sample.at(2), limit: 9) }
            try expectEqual(left.map(\.rawValue), ["a"], "without whoever has more to be erased")
        },
        ConformanceCase("a user is deleted with all that is theirs, but for the audit log") { world in
            for directory in [world.home, world.other] { try await fill(directory, in: world) }
            try expect(
                try await world.write { try $0.deleteUser(UserID("user-home"), in: world.home) }, "was there")
            try expect(
                try await world.write { try !$0.deleteUser(UserID("user-home"), in: world.home) }, "is gone")
            try expectEqual(
                try await inventory(of: world.home, in: world),
                [
                    "directory", "signing key", "client", "resource server", "domain", "identity provider",
                    "federation", "API key", "API key by hash", "account key", "audit", "outbox", "group", "terms",
                ],
                "what is left")
            let events = try await world.scan {
                try $0.auditEventCount(in: world.home, actions: nil, user: UserID("user-home"))
            }
            try expectEqual(events, 1, "the user's audit events")
            try expectEqual(try await inventory(of: world.other, in: world).count, 25, "the other Directory")
        },
    ]
}
