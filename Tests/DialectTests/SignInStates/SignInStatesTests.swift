// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

/// Every way to sign in, in every state that an account may be in, in every dialect.
@Suite("Sign-in paths and states of accounts") struct SignInStatesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let path: SignInPath
        let state: AccountState
        let expected: String

        static let all = SignInPath.allCases.flatMap { path in
            zip(AccountState.allCases, SignInTable.answers(path)).map { Case(path: path, state: $0, expected: $1) }
        }

        var testDescription: String { "\(path.rawValue), \(state.rawValue)" }
    }

    @Test("R14.2 G-1 G-8.1 G-9.2 G-10.4 each path answers each state as its vendor does", arguments: Case.all)
    func answers(item: Case) async throws {
        let world = try await SignInWorld(for: item.path)
        // What was sent before somebody gave their account up went with it.
        let isLate = item.state == .leaving && item.path.isByMessage
        if isLate { try await item.state.enter(world) }
        let proof = try await item.path.proof(in: world)
        if !isLate { try await item.state.enter(world) }
        let outcome = try await item.path.outcome(of: proof, in: world)
        #expect(outcome == item.expected)
        // A session undoes a deletion, and nothing else does.
        if item.state == .leaving {
            let (id, directory) = (world.user, world.accounts.directory.id)
            let user = try await world.accounts.ports.store.read { try $0.user(id, in: directory) }
            #expect((user?.deletionDueAt == nil) == (outcome.hasPrefix("session") || outcome == "code"))
        }
    }

    @Test(
        "R14.2 G-11 whoever is refused for terms agrees and comes in by the same path, having lost nothing by it",
        arguments: SignInPath.allCases.filter { SignInTable.answers($0).first != SignInTable.answers($0).last })
    func agrees(path: SignInPath) async throws {
        let world = try await SignInWorld(for: path)
        let proof = try await path.proof(in: world)
        try await AccountState.termsDue.enter(world)
        let open = try await world.sessions()
        let refused = try await path.outcome(of: proof, in: world)
        let (sound, due) = (SignInTable.answers(path)[0], SignInTable.answers(path).last)
        try #require(refused == due)
        #expect(try await world.sessions() == open, "whoever is refused has no session")
        try await world.agree()
        // Messages to one address are apart from each other.
        world.accounts.advance(by: .minutes(2))
        let again = path == .openIDBrowser ? proof : try await path.proof(in: world)
        #expect(try await path.outcome(of: again, in: world) == sound)
    }

    @Test("R14.2 the table has an answer for every state")
    func whole() {
        for path in SignInPath.allCases { #expect(SignInTable.answers(path).count == AccountState.allCases.count) }
        #expect(Case.all.count == SignInPath.allCases.count * AccountState.allCases.count)
    }
}
