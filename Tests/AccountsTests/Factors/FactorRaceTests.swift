// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Testing

@testable import Accounts

/// Each code that proves a second factor, shown by many at once, wherever one is shown.
@Suite("Codes that fifty show at once") struct FactorRaceTests {
    enum Code: String, CaseIterable, Sendable {
        case app, text, mail, backup
        /// The first one of a factor that is being set up.
        case firstOfApp, firstOfNumber, firstOfMailbox

        var isFirst: Bool { [.firstOfApp, .firstOfNumber, .firstOfMailbox].contains(self) }
        /// A code that was sent is good in what it was asked for alone.
        var isSent: Bool { [.text, .mail, .firstOfNumber, .firstOfMailbox].contains(self) }
    }

    enum Place: String, CaseIterable, Sendable {
        /// In a sign-in that asks for one, or for one to be set up.
        case signIn
        /// The same, of a protocol that asks for what follows in another call.
        case signInStep
        /// In a session, by who was looked up before.
        case session
        /// By who is looked up with the code.
        case token
        /// In a session whose refresh token stays.
        case inPlace

        var isSignIn: Bool { [.signIn, .signInStep].contains(self) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let code: Code
        let place: Place

        static let all = Code.allCases.flatMap { code in Place.allCases.map { Case(code: code, place: $0) } }

        var testDescription: String { "\(code.rawValue), \(place.rawValue)" }
    }

    private enum Holder: Sendable {
        case ticket(SignInTicket)
        case session(AuthenticatedUser)
    }

    /// What was asked and how it is answered.
    private struct Question: Sendable {
        var bench: FactorBench
        var call: CallContext
        var place: Place
        var proof: FactorProof
        var holders: [Holder]

        func answer(_ number: Int) async -> AuthErrorCode? {
            await bench.refusal {
                switch (holders[number % holders.count], place) {
                case (.ticket(let ticket), .signInStep):
                    _ = try await AnswerFactor(bench.ports).proving(ticket, proof, call: call)
                case (.ticket(let ticket), _):
                    _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call).session()
                case (.session(let user), .token):
                    let session = try #require(user.session)
                    let subject = TokenSubject(user: user.user.id, session: session.id, issuedAt: call.now)
                    _ = try await StepUp(bench.ports)(proof, of: subject, call: call) { _, _ in }
                case (.session(let user), .inPlace):
                    _ = try await StepUp(bench.ports).inPlace(proof, of: user, call: call)
                case (.session(let user), _): _ = try await StepUp(bench.ports)(proof, of: user, call: call)
                }
            }
        }
    }

    private static let number = "+4915112345678"
    private static let mailbox = "second@example.com"
    private static let newcomer = "b@example.com"

    @Test(
        "R14.2 G-9.2 G-9.3 of fifty who show one code at once it is taken of one, and of nobody later",
        arguments: Case.all)
    func once(item: Case) async throws {
        let bench = try await FactorBench { settings in
            if item.code.isFirst, item.place.isSignIn { settings.factors.demand = .all }
        }
        let (question, user) = try await ask(item, bench)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for number in 0..<50 { group.addTask { await question.answer(number) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1, "\(Set(outcomes))")
        #expect(Set(outcomes).isSubset(of: Self.refusals(item)), "\(Set(outcomes))")
        for number in question.holders.indices { #expect(await question.answer(number) != nil) }
        // A right code is none that was guessed, however often it is shown.
        #expect(try await bench.base.base.events(.factorLocked).isEmpty)
        // Who was refused has nothing of it: beside the session that the owner had before there is one.
        let raised = try await bench.base.base.sessions(of: user).filter {
            $0.revokedAt == nil && $0.assurance >= .aal2
        }
        let owned = item.code.isFirst ? 0 : 1
        #expect(raised.count == owned + (item.place == .signInStep ? 0 : 1))
        try await expectTold(item, user, bench)
    }

    private static func refusals(_ item: Case) -> Set<AuthErrorCode?> {
        var expected: Set<AuthErrorCode?> = [nil, item.code == .backup ? .factorCodeInvalid : .factorCodeUsed]
        // What was asked of is over with the right answer: a ticket, and sessions that show less.
        if item.place.isSignIn { expected.insert(.invalidCredentials) } else { expected.insert(.sessionNotFound) }
        return expected
    }

    /// The owner is told once of what happened once.
    private func expectTold(_ item: Case, _ user: User, _ bench: FactorBench) async throws {
        let kinds = try await bench.base.base.messages(to: user.email?.rawValue).map(\.kind)
        #expect(kinds.count { $0 == "backup_code_used" } == (item.code == .backup ? 1 : 0))
        if item.code == .backup {
            let left = try await UserBackupCodes(bench.ports).find(of: user.id, call: bench.call())
            #expect(left?.remaining == 9)
        }
        if item.code.isFirst {
            #expect(kinds.count { $0 == "factor_added" } == 1)
            let factors = try await bench.factors(of: user)
            #expect(factors.count == 1 && factors.allSatisfy(\.isVerified))
        }
    }

    // MARK: What is asked

    private func ask(_ item: Case, _ bench: FactorBench) async throws -> (Question, User) {
        let call = item.place.isSignIn ? bench.call() : bench.open()
        let (user, email): (User, String)
        var (proof, factor): (FactorProof?, Factor?)
        if item.code.isFirst {
            (user, email) = (try await bench.base.user(Self.newcomer), Self.newcomer)
        } else {
            let owner = try await bench.owner()
            (user, email) = (owner.user, "a@example.com")
            switch item.code {
            case .app: proof = owner.proof(at: call)
            case .backup:
                let made = try await UserBackupCodes(bench.ports).make(for: owner.session, call: call)
                proof = .backupCode(made.codes[0].reveal())
            default:
                factor = try await FactorAdministration(bench.ports).add(
                    item.code == .text
                        ? .phone(try PhoneNumber(Self.number)) : .email(try EmailAddress(Self.mailbox)),
                    named: nil, to: user.id, call: call.with { $0.actor = .commandLine })
            }
        }
        var holders: [Holder] = []
        for _ in 0..<(item.code.isSent ? 1 : 5) {
            if item.place.isSignIn {
                let step: SignInTicket.Step = item.code.isFirst ? .enrolment : .secondFactor
                holders.append(.ticket(try await bench.ticket(email, step, at: call)))
            } else {
                holders.append(.session(try await bench.signedIn(email, at: call)))
            }
        }
        if item.code.isFirst { factor = try await enrolled(item.code, in: holders[0], bench, call) }
        if let factor { proof = try await asked(of: factor, in: holders[0], bench, call) }
        let question = Question(
            bench: bench, call: call, place: item.place, proof: try #require(proof), holders: holders)
        return (question, user)
    }

    private func enrolled(
        _ code: Code, in holder: Holder, _ bench: FactorBench, _ call: CallContext
    ) async throws -> Factor {
        let new: NewFactor =
            switch code {
            case .firstOfNumber: .phone(try PhoneNumber(Self.number))
            case .firstOfMailbox: .email(try EmailAddress(Self.mailbox))
            default: .totp(issuer: nil)
            }
        switch holder {
        case .ticket(let ticket): return try await EnrolFactor(bench.ports)(new, for: ticket, call: call).factor
        case .session(let user): return try await EnrolFactor(bench.ports)(new, for: user, call: call).factor
        }
    }

    private func asked(
        of factor: Factor, in holder: Holder, _ bench: FactorBench, _ call: CallContext
    ) async throws -> FactorProof {
        if case .totp(let secret) = factor.credential {
            let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now), of: secret)
            return .code(code, of: factor.id, challenge: nil)
        }
        let challenge: FactorChallenge
        switch holder {
        case .ticket(let ticket):
            challenge = try await ChallengeFactor(bench.ports)(factor.id, for: ticket, call: call)
        case .session(let user):
            challenge = try await ChallengeFactor(bench.ports)(factor.id, of: user, call: call)
        }
        let code = try await bench.sentCode(to: try #require(factor.recipient))
        return .code(code, of: factor.id, challenge: challenge.id)
    }
}
