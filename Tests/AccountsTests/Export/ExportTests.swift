// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import Foundation
import Passwords
import Testing

@testable import Accounts

@Suite("The export of an account") struct ExportTests {
    /// Somebody with something in every file, the call of their sign-in, and the link that they were sent.
    private func token(_ bench: FactorBench, _ owner: FactorBench.Owner) async throws -> String {
        _ = try await RequestExport(bench.ports)(owner.session, call: bench.call())
        let mail = try #require(
            try await bench.base.base.messages(to: "a@example.com").first { $0.kind == "account_export" })
        #expect(mail.code == nil)
        return OneTimeToken.linkToken(of: try #require(mail.tokenHash))
    }

    /// Fetches an archive to its end.
    private func fetch(_ text: String, _ bench: FactorBench, _ call: CallContext? = nil) async throws -> [UInt8] {
        var archive: [UInt8] = []
        try await ExportAccount(bench.ports)(text, call: call ?? bench.call()).write { archive += $0 }
        return archive
    }

    /// The files of an archive, by their names: found as readers do that go from the front, and those that go by its
    /// end.
    private func files(_ archive: [UInt8]) throws -> [String: [UInt8]] {
        func number(_ at: Int, _ count: Int) -> Int {
            (0..<count).reversed().reduce(0) { $0 << 8 | Int(archive[at + $1]) }
        }
        var files: [String: [UInt8]] = [:]
        var offsets: [String: Int] = [:]
        var place = 0
        while number(place, 4) == 0x0403_4B50 {
            let start = place + 30 + number(place + 26, 2)
            let name = String(decoding: archive[(place + 30)..<start], as: UTF8.self)
            offsets[name] = place
            #expect(number(place + 8, 2) == 8 && number(place + 6, 2) & 8 == 8)
            var (content, at, isLast) = ([UInt8](), start, false)
            while !isLast {
                let length = number(at + 1, 2)
                try #require(length ^ number(at + 3, 2) == 0xFFFF, "no block that is stored as it is")
                isLast = archive[at] == 1
                content += archive[(at + 5)..<(at + 5 + length)]
                at += 5 + length
            }
            var checksum = CRC32()
            checksum.take(content)
            try #require(number(at, 4) == 0x0807_4B50)
            #expect(number(at + 4, 4) == Int(checksum.value) && number(at + 8, 4) == at - start)
            #expect(number(at + 12, 4) == content.count)
            files[name] = content
            place = at + 16
        }
        let directory = place
        while number(place, 4) == 0x0201_4B50 {
            let name = String(decoding: archive[(place + 46)..<(place + 46 + number(place + 28, 2))], as: UTF8.self)
            #expect(number(place + 42, 4) == offsets[name] && number(place + 24, 4) == files[name]?.count)
            place += 46 + number(place + 28, 2)
        }
        #expect(number(place, 4) == 0x0605_4B50 && number(place + 16, 4) == directory && archive.count == place + 22)
        #expect(number(place + 10, 2) == files.count)
        return files
    }

    @Test("R14.3 the link gives everything that is held, by the schema's names, and no secret")
    func everything() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let user = owner.user
        _ = try await UserBackupCodes(bench.ports).make(for: owner.session, call: bench.call())
        try await bench.base.store.write { tx in
            try tx.insert(
                Activity(
                    id: ActivityID("3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b12"), directoryID: user.directoryID,
                    userID: user.id, type: "yoga.session", description: "Sun \"salutation\"", durationSeconds: 600,
                    at: bench.base.now))
        }
        let text = try await token(bench, owner)
        let archive = try await fetch(text, bench, bench.call(after: .minutes(5)))
        let files = try files(archive)
        #expect(Set(files.keys) == Set(ExportFile.allCases.map(\.name) + ["schema.json"]))
        let account = try JSONObject(parsing: try #require(files["account.json"]))
        #expect(account["email"] == "a@example.com" && account["has_password"] == true)
        let activities = String(decoding: try #require(files["activities.json"]), as: UTF8.self)
        #expect(activities.contains(#"Sun \"salutation\""#))
        let factors = try JSONObject(parsing: try #require(files["factors.json"]))
        #expect(factors["factors"]?.arrayValue?.count == 1)
        #expect(factors["backup_codes"]?.objectValue?["count"] == 10)
        let sessions = String(decoding: try #require(files["sessions.json"]), as: UTF8.self)
        // Those that have ended too: enrolling has ended one.
        #expect(sessions.contains("ended_because") && sessions.contains(owner.issued.session.id.rawValue))
        for (file, part) in [
            ("audit.json", "export_requested"), ("audit.json", "data_exported"), ("messages.json", "account_export"),
            ("pending.json", "\"links\""),
        ] {
            #expect(String(decoding: files[file] ?? [], as: UTF8.self).contains(part), "\(file)")
        }
        let whole = String(decoding: archive, as: UTF8.self)
        let stored = try #require(try await bench.base.store.read { try $0.user(user.id, in: user.directoryID) })
        for secret in [
            stored.passwordHash?.encoded, owner.issued.refreshToken.reveal(), text,
            Hex.encode(owner.issued.session.family.liveHash), Hex.encode(owner.secret.reveal()),
        ] {
            let secret = try #require(secret)
            #expect(!whole.contains(secret))
        }
        // Good once.
        await #expect(throws: AuthError.self) {
            _ = try await ExportAccount(bench.ports)(text, call: bench.call(after: .minutes(6)))
        }
    }

    @Test("R14.3 what went to an address that somebody has only asked for is not theirs to see")
    func othersMessages() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let other = try EmailAddress("victim@example.com")
        try await bench.base.user(other.rawValue)
        try await bench.base.write(owner.user) { $0.pendingEmail = other }
        let message = OutboxMessage(
            id: bench.ports.random.identifier(at: bench.base.now), directoryID: owner.user.directoryID,
            content: .mail(Letter(kind: "recovery", recipient: other.rawValue, text: "not yours")),
            dueAt: bench.base.now, createdAt: bench.base.now)
        try await bench.base.store.write { try $0.enqueue(message) }
        let archive = try await fetch(try await token(bench, owner), bench)
        let messages = String(decoding: try #require(try files(archive)["messages.json"]), as: UTF8.self)
        #expect(messages.contains("account_export") && !messages.contains(other.rawValue))
    }

    @Test("R14.3 what went elsewhere about the account, to a factor's address or one of before, is in it, and once")
    func messagesElsewhere() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        for (kind, recipient) in [("factor_code", "factor@example.com"), ("recovery", "a@example.com")] {
            let message = OutboxMessage(
                id: bench.ports.random.identifier(at: bench.base.now), directoryID: owner.user.directoryID,
                content: .mail(Letter(kind: kind, recipient: recipient, text: "text", user: owner.user.id)),
                dueAt: bench.base.now, createdAt: bench.base.now)
            try await bench.base.store.write { try $0.enqueue(message) }
        }
        let archive = try await fetch(try await token(bench, owner), bench)
        let messages = try JSONValue(parsing: try #require(try files(archive)["messages.json"])).arrayValue
        let kinds = messages?.compactMap { $0.objectValue?["kind"]?.stringValue } ?? []
        for kind in ["factor_code", "recovery"] { #expect(kinds.count { $0 == kind } == 1, "\(kinds)") }
    }

    @Test("R14.3 of 20 who open the link at once one gets the file, and it is dead after an hour and with the address")
    func once() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let text = try await token(bench, owner)
        let got = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { (try? await ExportAccount(bench.ports)(text, call: bench.call())) != nil }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(got == 1)
        _ = try await RequestExport(bench.ports)(owner.session, call: bench.call(after: .minutes(2)))
        let mail = try #require(
            try await bench.base.base.messages(to: "a@example.com").first { $0.kind == "account_export" })
        let next = OneTimeToken.linkToken(of: try #require(mail.tokenHash))
        let late = await bench.refusal {
            _ = try await ExportAccount(bench.ports)(next, call: bench.call(after: .minutes(63)))
        }
        #expect(late == .oneTimeTokenInvalid)
    }

    @Test("R14.3 who may ask: by a fresh sign-in or a second factor, at a proved address, three times a day")
    func asked() async throws {
        let bench = try await FactorBench()
        try await bench.base.user("b@example.com")
        let fresh = try await bench.signedIn("b@example.com", at: bench.open())
        func ask(_ session: AuthenticatedUser, after span: TimeSpan) async -> AuthErrorCode? {
            await bench.refusal { _ = try await RequestExport(bench.ports)(session, call: bench.open(after: span)) }
        }
        #expect(await ask(fresh, after: .minutes(6)) == .reauthenticationNeeded)
        for minutes in [0, 2, 4] as [Int64] { #expect(await ask(fresh, after: .minutes(minutes)) == nil) }
        #expect(await ask(fresh, after: .minutes(5)) == .rateLimited)
        // Whoever has a factor shows it.
        let owner = try await bench.owner()
        let low = try await bench.signedIn("a@example.com", at: bench.open())
        #expect(await ask(low, after: .zero) == .insufficientAssurance)
        #expect(await ask(owner.session, after: .minutes(40)) == nil)
        try await bench.base.user("c@example.com") { $0.emailVerifiedAt = nil }
        let unproved = try await bench.base.authenticated(
            try await bench.base.signIn("c@example.com", at: bench.base.open()), at: bench.base.open())
        let refusal = await bench.refusal {
            _ = try await RequestExport(bench.ports)(unproved, call: bench.base.open())
        }
        #expect(refusal == .emailNotVerified)
    }

    @Test("R14.3 of fifty presses of one link at once one is given the file, and no second one is made for it")
    func raced() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let text = try await token(bench, owner)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await bench.refusal { _ = try await ExportAccount(bench.ports)(text, call: bench.call()) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.compactMap(\.self).allSatisfy { [.rateLimited, .oneTimeTokenInvalid].contains($0) })
        #expect(try await bench.base.base.events(.dataExported).count == 1)
    }

    @Test(
        "R14.3 archives are fetched one at a time for a user, and so many in all; whoever is sent away is told when to come"
    )
    func bounded() async throws {
        let gate = WorkUnderWay(most: 2)
        func refusal(_ name: String) -> AuthError? {
            do {
                _ = try gate.place(for: UserID(name))
                return nil
            } catch { return error }
        }
        let ann = try gate.place(for: UserID("ann"))
        #expect(refusal("ann")?.code == .rateLimited)
        let ben = try gate.place(for: UserID("ben"))
        let told = refusal("cid")
        #expect(told?.code == .overloaded && told?.retryAfter != nil)
        ann.leave()
        // What nobody holds is left.
        #expect(refusal("cid") == nil && refusal("ann") == nil)
        let next = try gate.place(for: UserID("ann"))
        ann.leave()
        #expect(refusal("ann")?.code == .rateLimited, "who has left twice has left their own place")
        withExtendedLifetime(next) {}
        withExtendedLifetime(ben) {}
    }

    @Test("R14.3 no list is cut: what is more than a piece holds comes in the next ones, each row once")
    func long() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let (user, now) = (owner.user, bench.base.now)
        let count = 23
        try await bench.base.store.write { [random = bench.ports.random] tx in
            for number in 0..<count {
                let at = now + .seconds(Int64(number / 2))
                try tx.enqueue(
                    OutboxMessage(
                        id: random.identifier(at: at), directoryID: user.directoryID,
                        content: .mail(Letter(kind: "recovery", recipient: "a@example.com", text: "\(number)")),
                        dueAt: at, createdAt: at))
                try tx.insert(
                    Activity(
                        id: ActivityID("activity \(number)"), directoryID: user.directoryID, userID: user.id,
                        type: "yoga.session", description: "\(number)", durationSeconds: Int64(number), at: at))
                try tx.append(
                    AuditEvent(
                        id: AuditEventID("event \(number)"), directoryID: user.directoryID,
                        action: number % 2 == 0 ? .signedIn : .signedOut, actor: .unknown, userID: user.id,
                        details: ["number": .integer(Int64(number))], at: at))
            }
        }
        let stored = try #require(try await bench.base.store.read { try $0.user(user.id, in: user.directoryID) })
        // Pieces that end with a list's last row, and others.
        for rows in [1, 2, 5, count, 1000] {
            var archive = AccountArchive(of: stored, at: now, rows: rows)
            var (octets, longest) = ([UInt8](), 0)
            while true {
                let (next, piece) = try await bench.base.store.scan(in: user.directoryID) { [archive] tx in
                    var archive = archive
                    let piece = try archive.next(tx)
                    return (archive, piece)
                }
                archive = next
                guard let piece else { break }
                octets += piece
                longest = max(longest, piece.count)
            }
            let files = try files(octets)
            func list(_ name: String) throws -> [JSONObject] {
                try JSONValue(parsing: try #require(files[name])).arrayValue?.compactMap(\.objectValue) ?? []
            }
            let activities = try list("activities.json").compactMap { $0["description"]?.stringValue }
            #expect(activities.count == count && Set(activities).count == count, "\(rows)")
            #expect(try list("messages.json").count { $0["kind"] == "recovery" } == count, "\(rows)")
            let events = try list("audit.json").compactMap { $0["details"]?.objectValue?["number"]?.text }
            #expect(Set(events).count == count && events.count == count, "\(rows)")
            #expect(try list("sessions.json").count >= 2)
            // The schema is one piece; a list never is.
            if rows == 1 { #expect(longest < octets.count / 2) }
        }
    }

    @Test(
        "R14.3 whoever goes away before the end, or meets a fault, has a link that is good still; who has another has that"
    )
    func broken() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let text = try await token(bench, owner)
        struct Gone: Error {}
        for pieces in [0, 3] {
            let export = try await ExportAccount(bench.ports)(text, call: bench.call())
            // While it is fetched nobody else gets it.
            let beside = await bench.refusal { _ = try await fetch(text, bench) }
            #expect(beside == .oneTimeTokenInvalid || beside == .rateLimited)
            let left = Task {
                var count = 0
                try await export.write { _ in
                    if count == pieces { throw Gone() }
                    count += 1
                    // As the server cancels what a client waits for.
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: (any Error).self) { try await left.value }
        }
        #expect(try files(try await fetch(text, bench)).count == ExportFile.allCases.count + 1)
        #expect(await bench.refusal { _ = try await fetch(text, bench) } == .oneTimeTokenInvalid)
        // Each time it left the server.
        #expect(try await bench.base.base.events(.dataExported).count == 3)
    }

    @Test("R14.3 a link that was given back opens nothing where a new password has ended the links meanwhile")
    func ended() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let text = try await token(bench, owner)
        struct Gone: Error {}
        let export = try await ExportAccount(bench.ports)(text, call: bench.call())
        try await bench.base.write(owner.user) { $0.passwordChangedAt = bench.base.now + .seconds(1) }
        await #expect(throws: Gone.self) { try await export.write { _ in throw Gone() } }
        #expect(await bench.refusal { _ = try await fetch(text, bench) } == .oneTimeTokenInvalid)
    }

    /// Where an export has what a table holds of a user; of what it has not, why not.
    private static let places: [String: ExportFile?] = [
        "users": .account, "user_identifiers": .account, "group_members": .account, "profiles": .profile,
        "identities": .identities, "sessions": .sessions, "factors": .factors, "backup_code_sets": .factors,
        "backup_codes": .factors, "activities": .activities, "consents": .consents, "agreements": .agreements,
        "audit_events": .audit, "outbox": .messages, "one_time_tokens": .pending, "sign_up_attempts": .pending,
        "lockouts": .pending, "factor_recoveries": .pending, "remembered_devices": .devices,
        // Hashes of codes that are under way for minutes: that there was one is in the log.
        "authorization_codes": nil, "factor_challenges": nil,
        // That an account which is no more is still being erased.
        "erasures": nil,
    ]

    @Test("R14.3 every table that says whose a row is has its place in the export: a new one can't be forgotten")
    func everyTable() {
        var tables: Set<String> = ["users", "outbox"]
        for statement in Migration.all.flatMap(\.statements) where statement.hasPrefix("CREATE TABLE ") {
            guard statement.contains(" user_id ") else { continue }
            let name = statement.dropFirst("CREATE TABLE ".count).prefix { $0 != " " && $0 != "(" }
            tables.insert(String(name))
        }
        #expect(tables == Set(Self.places.keys))
        #expect(Set(Self.places.values.compactMap(\.self)) == Set(ExportFile.allCases))
    }

    @Test("docs/account-export.schema.json is each export's schema. Run with LATCHKEY_WRITE_DOCS=1 to write it anew")
    func schema() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/account-export.schema.json")
        let expected = JSONValue.object(ExportSchema.document).text + "\n"
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_DOCS"] != nil {
            try Data(expected.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    }

    @Test("A checksum is that of every ZIP reader")
    func checksum() {
        var checksum = CRC32()
        #expect(checksum.value == 0)
        for part in ["1234", "", "56789"] { checksum.take(Array(part.utf8)) }
        #expect(checksum.value == 0xCBF4_3926)
    }
}

extension AccountExport {
    /// As a page that sends it does.
    func write(_ put: (_ piece: [UInt8]) async throws -> Void) async throws {
        var pieces = pieces()
        while let piece = try await pieces.next() {
            do { try await put(piece) } catch {
                await pieces.abandon()
                throw error
            }
        }
    }
}
