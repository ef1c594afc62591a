// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("Grants that are asked about again") struct GrantCheckTests {
    /// Somebody by Apple whose grant is kept, with a session.
    private func user(_ bench: FederationBench, _ subject: String, of provider: String = "apple") async throws -> User {
        try await bench.signIn(
            bench.proof(
                provider, subject, email: "\(subject)@example.com", vouched: true,
                tokens: UpstreamTokens(refresh: Secret("grant of \(subject)")))
        ).record.user
    }

    private func check(_ bench: FederationBench, after span: TimeSpan) async throws -> CheckGrants.Report {
        try await CheckGrants(bench.accounts.ports, links: PlainLinks())(at: bench.accounts.now + span)
    }

    private func grant(_ bench: FederationBench, _ user: User) async throws -> UpstreamGrant? {
        try await bench.accounts.ports.store.read { tx in
            let identity = try tx.identities(of: user.id, in: user.directoryID).first {
                !LocalIdentities.isLocal($0)
            }
            return try identity.flatMap { try tx.upstreamGrant(of: $0.id, in: user.directoryID) }
        }
    }

    @Test("Y-E4 R12.2 a grant is asked about at most once a day, and one that was taken back ends the sessions, once")
    func daily() async throws {
        let bench = try await FederationBench()
        let (ada, eve) = (try await user(bench, "ada"), try await user(bench, "eve"))
        #expect(try await check(bench, after: .hours(23)) == CheckGrants.Report())
        var report = try await check(bench, after: .hours(31))
        #expect(report.standing == 2 && report.ended == 0 && report.unanswered == 0)
        #expect(
            try await check(bench, after: .hours(54)) == CheckGrants.Report(), "not within a day of the last answer")
        bench.upstream.refuse(refresh: "grant of ada", with: .identityProviderRefused)
        report = try await check(bench, after: .hours(70))
        #expect(report.standing == 1 && report.ended == 1)
        #expect(try await bench.liveSessions(of: ada) == 0)
        #expect(try await bench.liveSessions(of: eve) == 1)
        let told = try await bench.events(.identityRevoked)
        #expect(told.map(\.userID) == [ada.id] && told.first?.details["event"] == "refresh_refused")
        #expect(try await grant(bench, ada) == nil)
        #expect(try await check(bench, after: .hours(110)).ended == 0, "there is nothing left to ask about")
    }

    @Test("Y-E4 R12.2 a provider that does not answer ends nothing, and is asked ever more rarely, and once a pass")
    func unanswered() async throws {
        let bench = try await FederationBench()
        var users: [User] = []
        for index in 1...9 { users.append(try await user(bench, "user\(index)")) }
        bench.upstream.fail(with: .identityProviderUnavailable)
        let first = try await check(bench, after: .hours(31))
        #expect(first.unanswered == 9 && first.ended == 0)
        let kept = try #require(try await grant(bench, users[0]))
        #expect(kept.failures == 1 && kept.updatedAt == bench.accounts.now)
        #expect(kept.dueAt.map { $0 >= bench.accounts.now + .hours(31) + .minutes(15) } == true)
        let codes: [(AuthErrorCode, Int64)] = [
            (.identityProviderDisabled, 3), (.identityTokenInvalid, 5), (.unsupported, 7),
        ]
        for (code, day) in codes {
            bench.upstream.fail(with: code)
            let report = try await check(bench, after: .days(day))
            #expect(report.unanswered == 9 && report.ended == 0, "\(code)")
        }
        for user in users { #expect(try await bench.liveSessions(of: user) == 1) }
        bench.upstream.fail(with: nil)
        #expect(try await check(bench, after: .days(9)).standing == 9)
        #expect(try await grant(bench, users[0])?.failures == 0)
    }

    @Test("R12.2 of other providers a grant is kept and asked about where the operator says so, and nowhere else")
    func setting() async throws {
        let bench = try await FederationBench()
        let ada = try await user(bench, "ada", of: "google")
        #expect(try await grant(bench, ada) == nil, "a refresh token that nobody needs is not kept")
        try await bench.configure("google", .google) { $0.grantCheckHours = 48 }
        let eve = try await user(bench, "eve", of: "google")
        let kept = try #require(try await grant(bench, eve))
        #expect(kept.dueAt.map { $0 >= bench.accounts.now + .hours(48) } == true)
        try await bench.configure("google", .google)
        #expect(try await check(bench, after: .days(4)) == CheckGrants.Report(), "nobody asks any more")
        #expect(try await grant(bench, eve)?.dueAt == nil)
        try await bench.configure("apple", .apple) { $0.grantCheckHours = 0 }
        let bob = try await user(bench, "bob")
        let apples = try #require(try await grant(bench, bob), "Apple's is kept to be given back")
        #expect(apples.dueAt == nil)
    }

    @Test("R12.2 what the user has consented to anew meanwhile is not ended by a word on what was before")
    func overtaken() async throws {
        let bench = try await FederationBench()
        let ada = try await user(bench, "ada")
        let old = try #require(try await grant(bench, ada))
        _ = try await bench.signIn(
            bench.proof(
                "apple", "ada", email: "ada@example.com", vouched: true,
                tokens: UpstreamTokens(refresh: Secret("a new grant"))), call: bench.call(after: .hours(1)))
        bench.upstream.refuse(refresh: "grant of ada", with: .identityProviderRefused)
        let identity = try #require(
            try await bench.accounts.ports.store.read { try $0.identity(old.identityID, in: ada.directoryID) })
        #expect(try await EndFederatedSessions(bench.accounts.ports).renew(old, of: identity, call: bench.call()))
        #expect(try await bench.liveSessions(of: ada) == 2)
        #expect(try await grant(bench, ada)?.refreshToken.reveal() == "a new grant")
    }

    @Test("R12.2 two processes that look at once ask about each grant once")
    func leased() async throws {
        let bench = try await FederationBench()
        for index in 1...12 { _ = try await user(bench, "user\(index)") }
        let reports = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...4 { group.addTask { try await check(bench, after: .hours(40)).standing } }
            return try await group.reduce(0, +)
        }
        #expect(reports == 12)
    }

    @Test("R12.2 the time between two questions follows from what was answered alone")
    func policy() throws {
        var provider = IdentityProvider(
            id: IdentityProviderID("a"), directoryID: DirectoryID("d"), name: "apple", kind: .apple,
            createdAt: AccountBench.start, updatedAt: AccountBench.start)
        let policy = try #require(GrantCheckPolicy(provider))
        let now = AccountBench.start
        for jitter: UInt16 in [0, 1, 30_000, .max] {
            let stood = policy.next(after: .stands, failures: 7, at: now, jitter: jitter)
            #expect(stood.failures == 0 && stood.due >= now + .hours(24) && stood.due <= now + .hours(30))
            #expect(policy.first(at: now, jitter: jitter) == stood.due)
            var last = TimeSpan.zero
            for failures in 0...40 {
                let next = policy.next(after: .unanswered, failures: failures, at: now, jitter: jitter)
                #expect(next.failures == failures + 1 && next.due - now >= last && next.due <= stood.due)
                #expect(next.due >= now + .minutes(15))
                last = next.due - now
            }
        }
        provider.grantCheckHours = 0
        #expect(GrantCheckPolicy(provider) == nil)
        #expect(
            IdentityProvider.Kind.allCases.filter { IdentityProvider.usualGrantCheckHours(of: $0) > 0 } == [.apple])
    }
}
