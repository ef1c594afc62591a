// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("Wrong codes")
struct FactorLockTests {
    private func answer(
        _ bench: FactorBench, _ proof: FactorProof, at call: CallContext, ticket: SignInTicket? = nil
    ) async throws -> AuthErrorCode? {
        let known: SignInTicket
        if let ticket { known = ticket } else { known = try await bench.ticket(at: call) }
        return await bench.refusal { _ = try await AnswerFactor(bench.ports)(known, proof, call: call).session() }
    }

    @Test("G-9.5 after three wrong codes none is heard for five minutes, in any sign-in; then a right one is")
    func locks() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        for _ in 0..<3 { #expect(try await answer(bench, owner.wrong(at: call), at: call) == .factorCodeInvalid) }
        #expect(try await answer(bench, owner.proof(at: call), at: call) == .factorLocked)
        let before = bench.call(after: .milliseconds(299_999))
        #expect(try await answer(bench, owner.proof(at: before), at: before) == .factorLocked)
        let after = bench.call(after: .minutes(5))
        #expect(try await answer(bench, owner.proof(at: after), at: after) == nil)
        #expect(try await bench.base.base.events(.factorLocked).count == 1)
    }

    @Test("G-9.5 of 50 wrong codes at once, in as many sign-ins, three are answered as wrong")
    func raced() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        var tickets: [SignInTicket] = []
        for _ in 0..<50 { tickets.append(try await bench.ticket()) }
        let proof = owner.wrong(at: call)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for ticket in tickets {
                group.addTask {
                    await bench.refusal { _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .factorCodeInvalid } == 3)
        #expect(outcomes.count { $0 == .factorLocked } == 47)
    }

    @Test("G-9.5 wrong codes lock neither the password nor anybody else's factor, and a right one forgives two")
    func apart() async throws {
        let bench = try await FactorBench()
        let (owner, other) = (try await bench.owner(), try await bench.owner("b@example.com"))
        let call = bench.call()
        for _ in 0..<2 { _ = try await answer(bench, owner.wrong(at: call), at: call) }
        #expect(try await answer(bench, owner.proof(at: call), at: call) == nil)
        for _ in 0..<2 { #expect(try await answer(bench, owner.wrong(at: call), at: call) == .factorCodeInvalid) }
        #expect(try await answer(bench, owner.wrong(at: call), at: call) == .factorCodeInvalid)
        #expect(try await answer(bench, owner.wrong(at: call), at: call) == .factorLocked)
        #expect(try await bench.next().pendingStep == .secondFactor)
        let ticket = try await bench.ticket("b@example.com")
        #expect(try await answer(bench, other.proof(at: call), at: call, ticket: ticket) == nil)
    }

    @Test("R14.2 whoever comes back after each lock is heard 30 times a day, and then now and then")
    func aDay() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        var heard = 0
        for minute in stride(from: Int64(0), to: 24 * 60, by: 2) {
            let call = bench.call(after: .minutes(minute))
            if try await answer(bench, owner.wrong(at: call), at: call) == .factorCodeInvalid { heard += 1 }
        }
        #expect((30...60).contains(heard))
    }

    @Test("R14.2 who locks another's factors keeps them from no backup code, and the owner is told, twelve times a day")
    func heardUnderLock() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let made = try await UserBackupCodes(bench.ports).make(for: owner.session, call: call)
        for _ in 0..<3 { #expect(try await answer(bench, owner.wrong(at: call), at: call) == .factorCodeInvalid) }
        #expect(try await answer(bench, owner.proof(at: call), at: call) == .factorLocked)
        #expect(try await bench.base.base.messages(to: "a@example.com").count { $0.kind == "factor_locked" } == 1)
        // Of 80 bits nobody finds one, so that wrong ones keep nobody out.
        for _ in 0..<5 {
            #expect(
                try await answer(bench, .backupCode("aaaa-aaaa-aaaa-aaaa"), at: call) == .factorCodeInvalid)
        }
        #expect(try await answer(bench, .backupCode(made.codes[0].reveal()), at: call) == nil)
        // Whoever showed it is the owner: their app's code is heard again.
        #expect(try await answer(bench, owner.proof(at: call), at: call) == nil)
        for minute in stride(from: Int64(6), to: 24 * 60, by: 2) {
            let call = bench.call(after: .minutes(minute))
            _ = try await answer(bench, owner.wrong(at: call), at: call)
        }
        #expect(try await bench.base.base.messages(to: "a@example.com").count { $0.kind == "factor_locked" } <= 25)
    }

    @Test("G-9.5 each backup code works once, of 50 at once too")
    func backupCodes() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let call = bench.call()
        let made = try await UserBackupCodes(bench.ports).make(for: owner.session, call: call)
        #expect(made.codes.count == 10)
        let code = made.codes[0].reveal()
        var tickets: [SignInTicket] = []
        for _ in 0..<50 { tickets.append(try await bench.ticket()) }
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for ticket in tickets {
                group.addTask {
                    await bench.refusal {
                        _ = try await AnswerFactor(bench.ports)(ticket, .backupCode(code.uppercased()), call: call)
                            .session()
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(Set(outcomes) == [nil, .factorCodeInvalid])
        let left = try await UserBackupCodes(bench.ports).find(of: owner.user.id, call: call)
        #expect(left?.remaining == 9)
        #expect(try await bench.base.base.messages().contains { $0.kind == "backup_code_used" })
        // Only hashes are kept.
        let hashes = try #require(left?.codes.map(\.hash))
        #expect(made.codes.allSatisfy { code in !hashes.contains(Array(code.reveal().utf8)) })
    }
}
