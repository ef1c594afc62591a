// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel
@testable import Accounts

/// Refreshing by tokens that another server has made.
@Suite struct BroughtTokenTests {
    private static let texts = ["grandparent0", "parent000000", "live00000000", "twin00000000"]

    /// A session with a chain of three tokens, given hours apart, and one more that is as good as the last.
    private func bench() async throws -> (PasswordBench, IssuedSession) {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let random = SeededRandom(seed: 7)
        var session = first.session
        session.id = SessionID(random.uuid())
        let times = [-3, -2, -1].map { bench.now + .hours($0) }
        let (family, ours) = RefreshTokenFamily.takenOver(
            times, for: session.id, rules: .init(rotates: true, reuseInterval: .seconds(10)), random: random)
        session.family = family
        let call = bench.call()
        let brought = zip(Self.texts, ours + [ours[2]]).map {
            BroughtRefreshToken(Secret($0), standingFor: $1, in: call.directory, for: call.dialect)
        }
        try await call.write(session, brought, on: bench)
        return (bench, first)
    }

    @Test("R25 the live token of before is exchanged once, and whoever shows it again is given the same successor")
    func exchanged() async throws {
        let (bench, _) = try await bench()
        let call = bench.call(after: .hours(1))
        let next = try await bench.refresh(Secret("live00000000"), at: call)
        #expect(next.renewal == .rotated)
        let again = try await bench.refresh(Secret("live00000000"), at: bench.call(after: .hours(2)))
        #expect(again.renewal == .repeated(.parentOfLive))
        #expect(again.refreshToken.reveal() == next.refreshToken.reveal())
        let twin = try await bench.refresh(Secret("twin00000000"), at: bench.call(after: .hours(2)))
        #expect(twin.refreshToken.reveal() == next.refreshToken.reveal())
        #expect(try await bench.refresh(next.refreshToken, at: bench.call(after: .hours(3))).renewal == .rotated)
    }

    @Test("F2 whoever had lost the last answer of before is given the live token for its parent")
    func lostAnswer() async throws {
        let (bench, _) = try await bench()
        let answer = try await bench.refresh(Secret("parent000000"), at: bench.call(after: .hours(1)))
        #expect(answer.renewal == .repeated(.parentOfLive))
        let next = try await bench.refresh(answer.refreshToken, at: bench.call(after: .hours(2)))
        #expect(next.renewal == .rotated)
        // It is the one that the live token of before is worth.
        let same = try await bench.refresh(Secret("live00000000"), at: bench.call(after: .hours(2)))
        #expect(same.refreshToken.reveal() == next.refreshToken.reveal())
    }

    @Test("F3 a token that was left behind before ends the session, and its live token with it", arguments: [0, 2])
    func replayed(refreshes: Int) async throws {
        let (bench, other) = try await bench()
        var live = Secret("live00000000")
        for hour in 0..<refreshes {
            live = try await bench.refresh(live, at: bench.call(after: .hours(Int64(hour + 1)))).refreshToken
        }
        let late = bench.call(after: .hours(9))
        await #expect(throws: AuthError(.refreshTokenReused)) {
            try await bench.refresh(Secret("grandparent0"), at: late)
        }
        for token in [live, Secret("live00000000"), Secret("parent000000")] {
            await #expect(throws: AuthError(.refreshTokenReused)) { try await bench.refresh(token, at: late) }
        }
        #expect(try await bench.refresh(other.refreshToken, at: late).renewal == .rotated)
    }

    @Test("R25 a text like them that nobody has made is nobody's, and ends nothing")
    func invented() async throws {
        let (bench, _) = try await bench()
        for text in ["live00000001", "", "LIVE00000000", "live00000000 ", String(repeating: "a", count: 64)] {
            await #expect(throws: AuthError(.refreshTokenNotFound)) {
                try await bench.refresh(Secret(text), at: bench.call(after: .hours(1)))
            }
        }
        #expect(try await bench.refresh(Secret("live00000000"), at: bench.call(after: .hours(1))).renewal == .rotated)
    }

    @Test("R25 what is stored of a token of before tells neither it nor ours, and means nothing in another Directory")
    func stored() throws {
        let directory = Directory(
            id: DirectoryID("a"), name: "a", settings: DirectorySettings(),
            tokenKey: Secret([UInt8](repeating: 1, count: 32)), createdAt: Instant(seconds: 0),
            updatedAt: Instant(seconds: 0))
        let ours = RefreshToken(
            session: SessionID("3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"), generation: 3,
            secret: [UInt8](repeating: 9, count: 24))
        let kept = BroughtRefreshToken(Secret("live00000000"), standingFor: ours, in: directory, for: nil)
        #expect(kept.hidden != ours.secret && kept.hidden.count == 24)
        #expect(kept.token(shownBy: "live00000000", under: directory.tokenKey, for: nil).secret == ours.secret)
        #expect(kept.token(shownBy: "live00000001", under: directory.tokenKey, for: nil).secret != ours.secret)
        #expect(
            kept.token(shownBy: "live00000000", under: directory.tokenKey, for: DialectName("x")).secret != ours.secret)
        #expect(
            kept.token(shownBy: "live00000000", under: Secret([2]), for: nil).secret != ours.secret)
        #expect(BroughtRefreshToken.hash(of: "live00000000", under: Secret([2]), for: nil) != kept.hash)
    }
}

extension CallContext {
    fileprivate func write(
        _ session: Session, _ tokens: [BroughtRefreshToken], on bench: PasswordBench
    ) async throws {
        try await bench.base.ports.store.write { tx in
            try tx.insert(session)
            try tx.insert(tokens)
        }
    }
}
