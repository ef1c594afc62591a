// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

/// What happens in the midst of a sign-in: others who show the same code, and a server that dies.
@Suite("Sign-ins that are interrupted") struct InterruptedSignInTests {
    @Test(
        "R14.2 G-9.2 of 51 who show one code at once, in three dialects, one gets in, and nobody's fault is the server's"
    )
    func raced() async throws {
        let world = try await SignInWorld()
        try await AccountState.factorDue.enter(world)
        var asked: [@Sendable (String) async throws -> String] = []
        for number in 0..<51 {
            asked.append(try await world.asked(SignInWorld.Asking.allCases[number % SignInWorld.Asking.allCases.count]))
        }
        let code = world.appCode
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for show in asked {
                for _ in 0..<5 { group.addTask { try await show(code) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == "in" } == 1, "\(Set(outcomes))")
        #expect(outcomes.allSatisfy { $0 == "in" || $0.hasPrefix("4") }, "\(Set(outcomes))")
        // Nobody is locked out by a code that was right.
        world.accounts.advance(by: .seconds(60))
        for dialect in SignInWorld.Asking.allCases {
            let show = try await world.asked(dialect)
            #expect(try await show(world.appCode) == "in", "\(dialect)")
            world.accounts.advance(by: .seconds(60))
        }
    }

    @Test("R14.2 of 50 who show one code at once in one dialect, one gets in", arguments: SignInWorld.Asking.allCases)
    func racedInOne(dialect: SignInWorld.Asking) async throws {
        let world = try await SignInWorld()
        try await AccountState.factorDue.enter(world)
        var asked: [@Sendable (String) async throws -> String] = []
        // A client may not be asked more often.
        for _ in 0..<10 { asked.append(try await world.asked(dialect)) }
        let code = world.appCode
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for show in asked {
                for _ in 0..<5 { group.addTask { try await show(code) } }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == "in" } == 1, "\(Set(outcomes))")
        #expect(outcomes.allSatisfy { $0 == "in" || $0.hasPrefix("4") }, "\(Set(outcomes))")
    }

    @Test("R14.2 a restart between a challenge and its answer loses nothing", arguments: SignInPath.allCases)
    func restarted(path: SignInPath) async throws {
        let world = try await SignInWorld(for: path)
        let proof = try await path.proof(in: world)
        try world.restart()
        #expect(try await path.outcome(of: proof, in: world) == SignInTable.answers(path)[0])
    }

    @Test(
        "R14.2 a restart before a second factor is shown loses nothing, and nobody's account where none is shown",
        arguments: SignInWorld.Asking.allCases)
    func restartedBeforeFactor(dialect: SignInWorld.Asking) async throws {
        let world = try await SignInWorld()
        try await AccountState.factorDue.enter(world)
        let (shown, left) = (try await world.asked(dialect), try await world.asked(dialect))
        _ = left
        try world.restart()
        #expect(try await shown(world.appCode) == "in")
        world.accounts.advance(by: .seconds(60))
        try world.restart()
        let anew = try await world.asked(dialect)
        #expect(try await anew(world.appCode) == "in")
    }
}
