// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("G-11 What a user consents to") struct UserConsentsTests {
    private func change(
        _ words: [ConsentWord], of user: User, _ bench: TermsBench, after span: TimeSpan = .zero
    ) async throws -> [ConsentState] {
        try await UserConsents(bench.ports).change(words, of: user.id, call: try bench.call(after: span))
    }

    @Test("R14.8 nothing is agreed to before it is said; each word is kept, and the last one holds")
    func history() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        let before = try await UserConsents(bench.ports).list(of: user.id, call: bench.call())
        #expect(before.map(\.terms.name) == ["analytics", "crashReporting", "telemetry", "personalizedData"])
        #expect(before.allSatisfy { !$0.isGiven && !$0.isAnswered })
        _ = try await change([ConsentWord(name: "analytics", isGiven: true)], of: user, bench)
        _ = try await change([ConsentWord(name: "analytics", isGiven: true)], of: user, bench, after: .seconds(1))
        let after = try await change(
            [ConsentWord(name: "analytics", isGiven: false), ConsentWord(name: "telemetry", isGiven: true)], of: user,
            bench, after: .seconds(2))
        #expect(after.filter(\.isGiven).map(\.terms.name) == ["telemetry"])
        let (said, hasMore) = try await UserConsents(bench.ports).history(of: user.id, limit: 2, call: bench.call())
        #expect(said.map(\.isGiven) == [true, false] && hasMore)
        let rest = try await UserConsents(bench.ports).history(
            of: user.id, after: said.last?.position, limit: 2, call: bench.call())
        #expect(rest.said.map(\.terms.name) == ["analytics"] && !rest.hasMore)
        #expect(rest.said.first?.at == bench.base.now)
    }

    @Test("R14.8 consent to one version is none to the next")
    func versions() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        _ = try await change([ConsentWord(name: "analytics", isGiven: true)], of: user, bench)
        try await bench.publish("2", of: "analytics", kind: .purpose, demanded: false, after: .seconds(1))
        let state = try await UserConsents(bench.ports).list(of: user.id, call: bench.call(after: .seconds(2)))
            .first { $0.terms.name == "analytics" }
        #expect(state?.terms.version == "2" && state?.isGiven == false && state?.said?.terms.version == "1")
    }

    @Test("R14.8 what is unknown, and a document that is to be withdrawn, is refused, and nothing of the call is done")
    func refused() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        try await bench.publish("1", demanded: false)
        let good = ConsentWord(name: "analytics", isGiven: true)
        for bad in [
            ConsentWord(name: "nothing", isGiven: true), ConsentWord(name: "terms", isGiven: false, version: "1"),
            ConsentWord(name: "terms", isGiven: true), ConsentWord(name: "terms", isGiven: true, version: "2"),
            ConsentWord(name: "analytics", isGiven: true, version: "…"),
        ] {
            #expect(
                await bench.refusal { _ = try await change([good, bad], of: user, bench) } == .invalidRequest, "\(bad)")
        }
        #expect(try await bench.said(user).isEmpty)
        let states = try await change([ConsentWord(name: "terms", isGiven: true, version: "1")], of: user, bench)
        #expect(states.first { $0.terms.name == "terms" }?.isGiven == true)
    }

    @Test("R14.8 a mind is changed 20 times an hour, and no more is kept")
    func bounded() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        for index in 0..<20 {
            _ = try await change(
                [ConsentWord(name: "analytics", isGiven: index.isMultiple(of: 2))], of: user, bench,
                after: .seconds(Int64(index)))
        }
        let again = [ConsentWord(name: "analytics", isGiven: true)]
        let refusal = await bench.base.error {
            _ = try await change(again, of: user, bench, after: .minutes(59))
        }
        #expect(refusal?.code == .rateLimited && refusal?.retryAfter == .minutes(1))
        _ = try await change(again, of: user, bench, after: .minutes(60))
        #expect(try await bench.said(user).count == 21)
    }

    @Test("R14.8 G-10.4 of a deleted account, and of one that its owner took over, nothing is left that was said")
    func gone() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        _ = try await change([ConsentWord(name: "analytics", isGiven: true)], of: user, bench)
        #expect(try await bench.said(user).count == 1)
        try await bench.ports.write(bench.call()) { step in
            _ = try AccountEnding(step).softDelete(try step.tx.liveUser(user.id, in: step.directory))
        }
        #expect(try await bench.said(user).isEmpty)

        let other = try await bench.base.user("b@example.com") { $0.emailVerifiedAt = nil }
        _ = try await change([ConsentWord(name: "analytics", isGiven: true)], of: other, bench)
        try await bench.ports.write(bench.call()) { step in
            var user = try step.tx.liveUser(other.id, in: step.directory)
            try AccountTakeover(step, by: .proof(.signUpConfirmation)).endOthers(of: &user)
        }
        #expect(try await bench.said(other).isEmpty)
    }
}
