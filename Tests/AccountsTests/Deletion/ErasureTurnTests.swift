// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// Somebody who has left more behind than one transaction may delete.
@Suite("G-10.4 What is left of an account goes in turns") struct ErasureTurnTests {
    private static let count = 3 * ErasureTurn.rows + 7

    /// - Returns: who has so many activities, sessions that have ended and events.
    private func person(_ bench: PasswordBench) async throws -> IssuedSession {
        try await bench.user()
        let issued = try await bench.signIn()
        let user = issued.user
        try await bench.store.write { tx in
            for index in 0..<Self.count {
                try tx.insert(
                    Activity(
                        id: ActivityID("a\(index)"), directoryID: user.directoryID, userID: user.id, type: "yoga",
                        description: "Sun salutation", durationSeconds: 1, at: bench.now))
                var session = issued.session
                session.id = SessionID("s\(index)")
                session.device = DeviceMetadata(name: "phone \(index)")
                session.revokedAt = bench.now
                session.revocation = .signedOut
                try tx.insert(session)
                try tx.append(
                    AuditEvent(
                        id: AuditEventID("e\(index)"), directoryID: user.directoryID, action: .signedIn,
                        actor: .user(user.id), userID: user.id, emailHash: "hash", truncatedAddress: "192.0.2.0",
                        at: bench.now))
            }
        }
        return issued
    }

    private struct Rows: Equatable {
        var activities = 0
        var traces = 0
        var marks = 0
    }

    private func rows(of user: User, _ bench: PasswordBench) async throws -> Rows {
        try await bench.store.scan(in: nil) { tx in
            let (id, directory) = (user.id, user.directoryID)
            let events = try tx.auditEvents(in: directory, actions: nil, user: id, offset: 0, limit: 9999)
            let devices = try tx.devices(of: id, in: directory, limit: 9999)
            var rows = Rows()
            rows.activities =
                try tx.activities(of: id, in: directory, matching: ActivityFilter(), after: nil, limit: 9999).count
            rows.traces =
                devices.count { $0 != DeviceMetadata() }
                + events.count { $0.emailHash != nil || $0.truncatedAddress != nil }
            rows.marks = try tx.erasures(limit: 9).count
            return rows
        }
    }

    @Test("G-10.4 no transaction deletes more than a turn's rows, and when it returns nothing is left")
    func turns() async throws {
        let bench = try await PasswordBench()
        let issued = try await person(bench)
        let counting = CountingStore(bench.store)
        _ = try await DeleteAccount(bench.ports(over: counting))(
            try await bench.authenticated(issued), asksForProof: true, call: bench.call())
        #expect(try await rows(of: issued.user, bench) == Rows())
        // Three kinds of rows, each of which takes three full turns.
        #expect(counting.writes >= 9)
    }

    @Test("G-10.4 an operator's deletion leaves no row, however much there was")
    func hard() async throws {
        let bench = try await PasswordBench()
        let issued = try await person(bench)
        try await UserAdministration(bench.ports).delete(
            issued.user.id, soft: false, call: bench.call().with { $0.actor = .commandLine })
        #expect(try await rows(of: issued.user, bench) == Rows())
        let (user, sessions) = try await bench.store.read { tx in
            (
                try tx.user(issued.user.id, in: issued.user.directoryID),
                try tx.devices(of: issued.user.id, in: issued.user.directoryID, limit: 9).count
            )
        }
        #expect(user == nil && sessions == 0)
    }

    @Test(
        "G-10.4 F1 a server that dies in the midst has ended the account, and the next goes on with what is left",
        arguments: UInt64(1)...6)
    func crash(seed: UInt64) async throws {
        let bench = try await PasswordBench()
        let issued = try await person(bench)
        let crashing = CrashingStore(bench.store, random: SeededRandom(seed: seed), percent: 15)
        let authenticated = try await bench.authenticated(issued)
        let before = try await rows(of: issued.user, bench)
        do {
            try await DeleteAccount(bench.ports(over: crashing))(
                authenticated, asksForProof: true, call: bench.call())
        } catch is CrashingStore.Crash {}
        let ended = try await bench.store.read { try $0.user(issued.user.id, in: issued.user.directoryID)?.deletedAt }
        let after = try await rows(of: issued.user, bench)
        guard ended != nil else {
            #expect(after == before, "seed \(seed): nothing is half deleted of who is still there")
            return
        }
        await #expect(throws: AuthError(.invalidCredentials)) { _ = try await bench.signIn() }
        // As many servers as it takes.
        for _ in 0..<200 {
            do {
                try await DueDeletions(bench.ports(over: crashing), links: PlainLinks()).pass(at: bench.now)
                break
            } catch is CrashingStore.Crash {}
        }
        #expect(try await rows(of: issued.user, bench) == Rows(), "seed \(seed)")
    }
}
