// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct GuessingTests {
    private func guess(_ code: String, _ bench: ProofBench, after span: TimeSpan = .zero) async throws -> Bool {
        do {
            let outcome = try await VerifyProof(bench.ports)(
                .code(.email(EmailAddress("a@example.com")), code), purposes: [.magicLink],
                call: bench.call(after: span))
            return outcome.session != nil
        } catch let error as AuthError where error == AuthError(.oneTimeTokenInvalid) {
            return false
        }
    }

    @Test("R53 a code is dead after five wrong ones, while its link, which nobody can guess, still works")
    func fiveWrongCodes() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user)
        for _ in 0..<5 { #expect(try await !guess(ProofBench.wrong(proof.code), bench)) }
        #expect(try await !guess(proof.code, bench))
        let byLink = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.magicLink], call: bench.call())
        #expect(byLink.session != nil)
    }

    @Test("R8.13 a stranger's wrong codes kill the code for strangers, not for who asked for it or is known")
    func strangers() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        func call(_ client: String, _ network: String) -> CallContext {
            var call = bench.call()
            (call.origin, call.device.truncatedAddress) = (client, network)
            return call
        }
        func type(_ code: String, _ call: CallContext) async throws -> Bool {
            do {
                let outcome = try await VerifyProof(bench.ports)(
                    .code(.email(EmailAddress("a@example.com")), code), purposes: [.magicLink], call: call)
                return outcome.session != nil
            } catch let error as AuthError where error == AuthError(.oneTimeTokenInvalid) {
                return false
            }
        }
        let owner = call("198.51.100.7", "198.51.100.0")
        let first = try await bench.proof(.magicLink, for: user, call: owner)
        for client in 0..<20 {
            #expect(try await !type(ProofBench.wrong(first.code), call("203.0.\(client).5", "203.0.\(client).0")))
        }
        #expect(try await !type(first.code, call("203.0.99.5", "203.0.99.0")))
        #expect(try await type(first.code, owner))
        // That was a sign-in: from now on the network is known, whoever asks for the code.
        let thief = call("203.0.113.5", "203.0.113.0")
        let second = try await bench.proof(.magicLink, for: user, call: thief)
        for _ in 0..<5 { #expect(try await !type(ProofBench.wrong(second.code), thief)) }
        #expect(try await !type(second.code, thief))
        // The thief's own tries have ended it: the next one is the owner's again.
        let third = try await bench.proof(.magicLink, for: user, call: thief)
        for client in 0..<10 { _ = try await type(ProofBench.wrong(third.code), call("\(client)", "203.1.0.0")) }
        #expect(try await type(third.code, call("198.51.100.9", "198.51.100.0")))
    }

    @Test("R8.13 in a day strangers, askers and known networks have a hundred wrong codes between them")
    func aDay() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        func call(_ client: String, _ network: String?) -> CallContext {
            var call = bench.call()
            (call.origin, call.device.truncatedAddress) = (client, network)
            return call
        }
        func isHeard(_ code: String, _ call: CallContext) async throws -> Bool {
            let failures = try await bench.events(.verificationFailed).count { $0.userID != nil }
            let guesses = try await bench.events(.codeGuessed).count { $0.userID != nil }
            _ = try? await VerifyProof(bench.ports)(
                .code(.email(EmailAddress("a@example.com")), code), purposes: [.magicLink], call: call)
            let after = try await bench.events(.verificationFailed).count { $0.userID != nil }
            return try await bench.events(.codeGuessed).count { $0.userID != nil } + after > failures + guesses
        }
        let home = call("198.51.100.7", "198.51.100.0")
        let opened = try await bench.proof(.magicLink, for: user, call: home)
        _ = try await VerifyProof(bench.ports)(
            .linkToken(opened.linkToken), purposes: [.magicLink], call: home)
        var heard: [String: Int] = [:]
        for round in 0..<40 {
            let asker = call("203.0.113.5", "203.0.113.0")
            let proof = try await bench.proof(.magicLink, for: user, call: asker)
            let wrong = ProofBench.wrong(proof.code)
            for _ in 0..<4 {
                if try await isHeard(wrong, call("203.1.0.\(round)", "203.1.0.0")) {
                    heard["stranger", default: 0] += 1
                }
                if try await isHeard(wrong, asker) { heard["asker", default: 0] += 1 }
            }
        }
        for _ in 0..<40 {
            let proof = try await bench.proof(.magicLink, for: user, call: call("x", nil))
            for _ in 0..<4 where try await isHeard(ProofBench.wrong(proof.code), home) {
                heard["known", default: 0] += 1
            }
        }
        #expect(heard == ["stranger": 25, "asker": 50, "known": 25])
        // The link in the mail always works.
        let last = try await bench.proof(.magicLink, for: user, call: home)
        let byLink = try await VerifyProof(bench.ports)(
            .linkToken(last.linkToken), purposes: [.magicLink], call: call("elsewhere", nil))
        #expect(byLink.session != nil)
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

    @Test(
        "R53 after 50 wrong codes over ever new challenges who asks is heard no more for a day, while a link still is")
    func overNewChallenges() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        var wrong = 0
        while wrong < 51 {
            let proof = try await bench.proof(.magicLink, for: user)
            for _ in 0..<4 where wrong < 51 {
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
        func spend(_ code: String) async throws -> Bool {
            try await bench.ports.write(bench.call()) {
                try OneTimeCodeCheck($0).spend(code, purpose: .reauthentication, of: user)
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
