// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct CommitCountTests {
    @Test(
        "R11.2 a code for a browser that is signed in costs no commit, what it becomes one, a look at the cookie none"
    )
    func commits() async throws {
        let bench = try await AuthorizationBench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let store = CountingStore(bench.ports.store)
        let ports = AccountPorts(
            store: store, passwords: bench.ports.passwords, random: bench.ports.random, messages: bench.ports.messages)
        let step = try await BeginAuthorization(ports).step(
            bench.request(), AuthorizationParameters(), browser: bench.browser(), session: cookie, call: bench.call())
        #expect(store.writes == 0)
        _ = try await ExchangeCode(ports)(
            code: try #require(step.response?.code), verifier: AuthorizationBench.verifier,
            redirectURI: AuthorizationBench.redirectURI, call: bench.call())
        #expect(store.writes == 1)
        #expect(try await BrowserSessions(ports).find(cookie, call: bench.call()) != nil)
        #expect(store.writes == 1)
    }

    @Test("R11.2 what a dialect's tokens don't show of a user is not read for them", arguments: [ShownParts.all, []])
    func shown(parts: ShownParts) async throws {
        let bench = try await AuthorizationBench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let store = RecordingStore(bench.ports.store)
        let ports = AccountPorts(
            store: store, passwords: bench.ports.passwords, random: bench.ports.random, messages: bench.ports.messages)
        let call = bench.call().with { $0.shows = parts }
        let step = try await BeginAuthorization(ports).step(
            bench.request(), AuthorizationParameters(), browser: bench.browser(), session: cookie, call: call)
        let issued = try await ExchangeCode(ports)(
            code: try #require(step.response?.code), verifier: AuthorizationBench.verifier,
            redirectURI: AuthorizationBench.redirectURI, call: call
        ).session()
        _ = try await RefreshSession(ports)(issued.refreshToken.reveal(), call: call)
        let statements = store.taken().map(\.sql)
        #expect(statements.contains { $0.contains(" identities ") } == parts.contains(.identities))
        #expect(statements.contains { $0.contains(" group_members ") } == parts.contains(.groups))
        #expect(issued.identities.isEmpty != parts.contains(.identities))
    }
}
