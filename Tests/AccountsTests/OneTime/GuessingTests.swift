// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Accounts

@Suite struct GuessingTests {
    private func guess(_ code: String, _ bench: ProofBench, after span: Span = .zero) async throws -> Bool {
        do {
            let outcome = try await VerifyProof(bench.ports)(
                .code(.email(EmailAddress("a@example.com")), code), purposes: [.magicLink],
                call: bench.call(after: span))
            return outcome.session != nil
        } catch let error as AuthError where error == AuthError(.oneTimeTokenInvalid) {
            return false
        }
    }

    @Test("R53 a code is dead after five wrong ones, and its link with it")
    func fiveWrongCodes() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        for _ in 0..<5 { #expect(try await !guess(ProofBench.wrong(proof.code), bench)) }
        #expect(try await !guess(proof.code, bench))
        #expect(try await bench.token(.magicLink, of: user) == nil)
    }

    @Test("Four wrong codes leave the right one working")
    func fourWrongCodes() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        for _ in 0..<4 { #expect(try await !guess(ProofBench.wrong(proof.code), bench)) }
        #expect(try await guess(proof.code, bench))
    }

    @Test("R53 parallel guesses are each counted")
    func parallelGuesses() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try? await guess(ProofBench.wrong(proof.code), bench) } }
        }
        #expect(try await !guess(proof.code, bench))
    }

    @Test("R53 after 100 wrong codes over ever new challenges no code is taken for a day, while a link still is")
    func overNewChallenges() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        var wrong = 0
        while wrong < 101 {
            let proof = try await bench.proof(.magicLink, for: user)
            for _ in 0..<4 where wrong < 101 {
                #expect(try await !guess(ProofBench.wrong(proof.code), bench))
                wrong += 1
            }
        }
        let proof = try await bench.proof(.magicLink, for: user)
        #expect(try await !guess(proof.code, bench, after: .minutes(1)))
        let byLink = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.magicLink], call: bench.call(after: .minutes(1)))
        #expect(byLink.session != nil)
        let later = try await bench.proof(.magicLink, for: user, call: bench.call(after: .hours(25)))
        #expect(try await guess(later.code, bench, after: .hours(25)))
    }

    @Test("A code counts against its own user: another's wrong codes do no harm")
    func othersUnharmed() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        _ = try await bench.confirmedUser("b@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        for _ in 0..<10 {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await VerifyProof(bench.ports)(
                    .code(.email(EmailAddress("b@example.com")), proof.code), purposes: [.magicLink],
                    call: bench.call())
            }
        }
        #expect(try await guess(proof.code, bench))
    }

    @Test("A reauthentication code is spent once, and dies of wrong ones")
    func reauthentication() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let check = OneTimeCodeCheck(bench.ports)
        let call = bench.call()
        func spend(_ code: String) async throws -> Bool {
            try await bench.store.write {
                try check.spend(code, purpose: .reauthentication, of: user, call: call, in: $0)
            }
        }
        let first = try await bench.proof(.reauthentication, for: user)
        #expect(try await !spend(ProofBench.wrong(first.code)))
        #expect(try await spend(first.code))
        #expect(try await !spend(first.code))
        let second = try await bench.proof(.reauthentication, for: user)
        for _ in 0..<5 { #expect(try await !spend(ProofBench.wrong(second.code))) }
        #expect(try await !spend(second.code))
    }
}
