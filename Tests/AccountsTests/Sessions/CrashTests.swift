// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel
@testable import Accounts

/// The server dies around its commits, on a real store.
@Suite struct CrashTests {
    @Test(
        "F1 I1 I4 a session outlives a server that dies around every commit, and has one live token",
        arguments: UInt64(1)...12)
    func refreshing(seed: UInt64) async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let random = SeededRandom(seed: seed)
        let store = CrashingStore(bench.store, random: random, percent: 20)
        let refresh = RefreshSession(bench.ports(over: store))
        var held = first.refreshToken
        var span = Int64(0)
        for _ in 0..<25 {
            span += random.number(in: 2...86_400)
            do {
                held = try await refresh(held.reveal(), call: bench.call(after: .seconds(span))).refreshToken
            } catch is CrashingStore.Crash {
                continue
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        let answer = try await bench.refresh(held, at: bench.call(after: .seconds(span + 1)))
        let live = try #require(
            RefreshToken(answer.refreshToken.reveal(), under: bench.base.directory.tokenKey), "seed \(seed)")
        #expect(try await bench.session(first).family.liveHash == live.hash, "seed \(seed)")
        #expect(try await bench.base.sessions(of: first.user).count == 1)
    }

    @Test(
        "R41 a replay that was answered has ended its session, and one that died has not half ended it",
        arguments: UInt64(1)...8)
    func replaying(seed: UInt64) async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let second = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(1)))
        _ = try await bench.refresh(second.refreshToken, at: bench.call(after: .hours(2)))
        let store = CrashingStore(bench.store, random: SeededRandom(seed: seed), percent: 30)
        let late = bench.call(after: .hours(3))
        let error = await bench.error {
            _ = try await RefreshSession(bench.ports(over: store))(first.refreshToken.reveal(), call: late)
        }
        let isEnded = try await bench.session(first).revocation == .replay
        if error?.code == .refreshTokenReused { #expect(isEnded, "seed \(seed)") }
        #expect(try await bench.base.events(.refreshTokenReplayed).count == (isEnded ? 1 : 0), "seed \(seed)")
    }
}
