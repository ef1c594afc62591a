// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Passwords
import Testing

@testable import AccountModel
@testable import Accounts

@Suite("Taking over another server's accounts") struct TakeOverTests {
    private static let dialect = DialectName("one")

    /// A lock alone can't be captured.
    private final class Noted<Value: Sendable>: Sendable {
        private let kept: Mutex<Value>

        init(_ value: Value) { kept = Mutex(value) }

        var value: Value { kept.withLock { $0 } }

        func change(_ body: (inout Value) -> Void) { kept.withLock { body(&$0) } }
    }

    private func takeOver(
        _ source: OtherServer, _ bench: PasswordBench, on ports: AccountPorts? = nil
    ) async throws -> TakeOver {
        let now = bench.now
        return try await TakeOverAccounts(ports ?? bench.ports)(
            from: source, into: bench.call().directory, for: Self.dialect, clock: { now },
            read: { try source.read($0) })
    }

    private func call(_ bench: PasswordBench, after span: TimeSpan) -> CallContext {
        bench.call(after: span).with { $0.dialect = Self.dialect }
    }

    @Test("R25 everybody comes with what is theirs, is counted, and goes on by the token that their client has")
    func everything() async throws {
        let bench = try await PasswordBench()
        let source = OtherServer(250, bench.ports.store, bench.call().directory)
        let done = try await takeOver(source, bench)
        #expect(done.finishedAt == bench.now)
        #expect(
            done.taken
                == TakeOver.Counts([.users: 250, .identities: 250, .factors: 250, .sessions: 250, .tokens: 250]))
        #expect(done.left == TakeOver.Counts([.factors: 250]))
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 250)
        for number in [1, 100, 101, 250] {
            let id = UserID(OtherServer.id(number))
            let (user, identity, factors) = try await bench.ports.store.read { tx in
                (
                    try tx.user(id, in: directory),
                    try tx.identity(provider: "google", subject: "subject \(number)", in: directory),
                    try tx.factors(of: id, in: directory)
                )
            }
            #expect(
                user?.passwordHash?.encoded == OtherServer.hash && user?.email?.rawValue == "u\(number)@example.com")
            #expect(identity?.userID == id && factors.map(\.kind) == [.totp])
            let session = try await RefreshSession(bench.ports)(
                "livetoken-\(number)", call: call(bench, after: .hours(1)))
            #expect(session.session.id == OtherServer.session(number) && session.user.id == id)
            #expect(session.renewal == .rotated)
        }
        // In another dialect they are nobody's.
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await RefreshSession(bench.ports)("livetoken-2", call: bench.call(after: .hours(1)))
        }
        // Another start finds it done, and asks the source nothing.
        var gone = source
        gone.accounts = []
        #expect(try await takeOver(gone, bench) == done)
    }

    @Test("F5 a server that dies at any moment takes nobody over twice and forgets nobody", arguments: 1...6)
    func crashes(seed: UInt64) async throws {
        let bench = try await PasswordBench()
        let store = CrashingStore(bench.ports.store, random: SeededRandom(seed: seed), percent: 50)
        let source = OtherServer(730, store, bench.call().directory)
        var (deaths, done) = (0, TakeOver?.none)
        while done == nil {
            do {
                done = try await takeOver(source, bench, on: bench.ports(over: store))
            } catch is CrashingStore.Crash {
                deaths += 1
            }
        }
        #expect(deaths > 0)
        #expect(done?.taken[.users] == 730 && done?.taken[.sessions] == 730)
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 730)
        for number in [1, 399, 730] {
            let call = call(bench, after: .hours(1))
            #expect(try await RefreshSession(bench.ports)("livetoken-\(number)", call: call).renewal == .rotated)
        }
    }

    @Test("R9.8 of two servers that take over at once each account comes once, and none that is half done is served")
    func together() async throws {
        let bench = try await PasswordBench()
        let source = OtherServer(450, bench.ports.store, bench.call().directory)
        let outcomes = await withTaskGroup(of: Result<TakeOver, any Error>.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do { return .success(try await takeOver(source, bench)) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for case .failure(let error) in outcomes { #expect((error as? AuthError)?.code == .conflict) }
        let done = try await takeOver(source, bench)
        #expect(done.taken[.users] == 450)
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 450)
    }

    @Test("Accounts that can't be taken over are all named, without what is in them, before anybody comes")
    func faults() async throws {
        let bench = try await PasswordBench()
        var source = OtherServer(220, bench.ports.store, bench.call().directory)
        for number in [130, 215] { source.accounts[number - 1].account["number"] = "secret" }
        let faulty = source
        let error = await #expect(throws: AuthError(.conflict)) { try await takeOver(faulty, bench) }
        let reason = try #require(error?.reason)
        #expect(reason.hasPrefix("2 of the accounts"))
        for number in [130, 215] { #expect(reason.contains("\(OtherServer.id(number)) (number: no number)")) }
        #expect(!reason.contains("secret"))
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 0)
        #expect(try await bench.ports.store.read { try $0.takeOver(of: "other") } == nil)
        for number in [130, 215] { source.accounts[number - 1].account["number"] = .integer(Int64(number)) }
        #expect(try await takeOver(source, bench).taken[.users] == 220)
    }

    @Test(
        "R25 accounts that have what another has are all named with that one, before anybody comes",
        arguments: [3, 1_000])
    func clash(comparedNames: Int) async throws {
        let bench = try await PasswordBench()
        var source = OtherServer(220, bench.ports.store, bench.call().directory)
        for number in [7, 215] { source.accounts[number - 1].account["email"] = "U2@example.com" }
        source.accounts[99].account["number"] = "secret"
        let (clashing, now) = (source, bench.now)
        let told = Noted<[String: String]>([:])
        let error = await #expect(throws: AuthError(.conflict)) {
            try await TakeOverAccounts(bench.ports, comparedNames: comparedNames)(
                from: clashing, into: bench.call().directory, for: Self.dialect, clock: { now },
                read: { try clashing.read($0) }, fault: { id, why in told.change { $0[id] = why } })
        }
        #expect(error?.reason?.hasPrefix("3 of the accounts") == true)
        let same = "email: the same as that of \(OtherServer.id(2))"
        #expect(
            told.value == [
                OtherServer.id(7): same, OtherServer.id(215): same, OtherServer.id(100): "number: no number",
            ])
        for (id, why) in told.value { #expect(error?.reason?.contains("\(id) (\(why))") == true) }
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 0)
        #expect(try await bench.ports.store.read { try $0.takeOver(of: "other") } == nil)
    }

    @Test("Accounts that have the same since they were looked through are named when they come")
    func laterClash() async throws {
        let bench = try await PasswordBench()
        let source = OtherServer(9, bench.ports.store, bench.call().directory)
        let now = bench.now
        let reads = Noted(0)
        let error = await #expect(throws: AuthError(.conflict)) {
            try await TakeOverAccounts(bench.ports)(
                from: source, into: bench.call().directory, for: Self.dialect, clock: { now },
                read: { row in
                    reads.change { $0 += 1 }
                    var changed = row
                    if reads.value == 9 + 7 { changed["email"] = "u2@example.com" }
                    return try source.read(changed)
                })
        }
        #expect(error?.reason?.contains("\(OtherServer.id(7)) (email: belongs to another user)") == true)
        #expect(error?.reason?.contains(OtherServer.id(3)) == false)
        #expect(error?.reason?.hasSuffix("drop our schema and start again") == true)
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 0)
    }

    @Test("G-4.4 hashes of more kinds than a Directory may hold are refused before anybody comes")
    func kinds() async throws {
        let bench = try await PasswordBench()
        let source = OtherServer(11, bench.ports.store, bench.call().directory)
        let now = bench.now
        let error = await #expect(throws: AuthError(.conflict)) {
            try await TakeOverAccounts(bench.ports)(
                from: source, into: bench.call().directory, for: Self.dialect, clock: { now },
                read: { row in
                    var account = try source.read(row)
                    let cost = 3 + (row["number"]?.integerValue ?? 0)
                    account.user.passwordHash = try PasswordHash(
                        OtherServer.hash.replacingOccurrences(of: "$10$", with: cost < 10 ? "$0\(cost)$" : "$\(cost)$"))
                    return account
                })
        }
        #expect(error?.reason?.contains("more than 8 kinds") == true)
        #expect(try await bench.ports.store.read { try $0.takeOver(of: "other") } == nil)
    }

    @Test("A Directory that has users of its own is left alone")
    func inhabited() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let source = OtherServer(3, bench.ports.store, bench.call().directory)
        await #expect(throws: AuthError(.conflict)) { try await takeOver(source, bench) }
        let directory = bench.call().directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: directory) } == 1)
    }
}
