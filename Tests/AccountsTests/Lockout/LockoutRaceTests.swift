// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// However many guess at once, in however many processes, five are judged.
@Suite struct LockoutRaceTests {
    private func world() async throws -> TwoProcesses {
        try await TwoProcesses {
            $0.limits.signInPerIdentifier.count = 10_000
            $0.limits.signInPerAccount.count = 10_000
        }
    }

    private func reasons(_ world: TwoProcesses) async throws -> [String: Int] {
        let id = world.directory.id
        let events = try await world.ports[0].store.scan(in: id) {
            try $0.auditEvents(in: id, actions: [.signInFailed], user: nil, offset: 0, limit: 1000)
        }
        return Dictionary(events.map { ($0.details["reason"]?.stringValue ?? "", 1) }, uniquingKeysWith: +)
    }

    private func events(_ action: AuditEvent.Action, _ world: TwoProcesses) async throws -> Int {
        let id = world.directory.id
        return try await world.ports[0].store.scan(in: id) {
            try $0.auditEvents(in: id, actions: [action], user: nil, offset: 0, limit: 1000).count
        }
    }

    @Test("G-8.1 of a hundred wrong passwords at once, in two processes, exactly five are judged, and one locks")
    func wrong() async throws {
        for address in ["a@example.com", "nobody@example.com"] {
            let world = try await world()
            try await world.user()
            let name = SignInIdentifier.email(try EmailAddress(address))
            let answers = try await withThrowingTaskGroup(of: AuthErrorCode?.self) { group in
                for index in 0..<100 {
                    let call = world.call("203.0.\(index).9")
                    group.addTask { try await world.wrong(by: name, world.ports[index % 2], call) }
                }
                return try await group.reduce(into: [AuthErrorCode?]()) { $0.append($1) }
            }
            #expect(answers == .init(repeating: .invalidCredentials, count: 100))
            #expect(try await reasons(world) == ["invalid_credentials": 5, "account_locked": 95])
            #expect(try await events(.accountLocked, world) == 1)
            for ports in world.ports + [try world.restarted()] {
                #expect(try await world.signIn(by: name, ports) == .invalidCredentials)
            }
            let mails = try await world.ports[0].store.read { tx in
                try tx.outbox(in: world.directory.id, recipient: address, limit: 9).count
            }
            #expect(mails == (address == "a@example.com" ? 1 : 0))
        }
    }

    @Test(
        "G-8.1 R14.1 a right password among a hundred wrong ones at once is heard only while fewer than five were wrong"
    )
    func right() async throws {
        for round in 0..<6 {
            let world = try await world()
            try await world.user()
            let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<60 {
                    group.addTask {
                        let password = index == round * 11 ? PasswordBench.password : "Wrong-Horse-7"
                        return try await world.signIn(password: password, world.ports[index % 2]) == nil
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            let judged = try await reasons(world)["invalid_credentials"] ?? 0
            // Where it was heard, it has forgotten those before it, at most four.
            #expect(opened == 0 ? judged == 5 : (5...9).contains(judged), "\(opened), \(judged)")
        }
    }
}
