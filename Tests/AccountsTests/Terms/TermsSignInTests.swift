// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("G-11 Terms that a sign-in demands") struct TermsSignInTests {
    @Test("G-11 there is no session before the current version is agreed to, and one after, once")
    func demanded() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        #expect(try await bench.next().issued != nil)
        try await bench.publish("1")
        let pending = try await bench.pending()
        #expect(pending.terms.map(\.reference) == [try TermsBench.reference("terms", "1")])
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .terms, call: bench.call())
        #expect(try await AgreeToTerms(bench.ports).due(for: ticket, call: bench.call()) == pending.terms)
        // What else was said does not open it, and the ticket is spent.
        let again = try await AgreeToTerms(bench.ports)(ticket, agreed: [], call: bench.call())
        #expect(again.pendingStep == .terms)
        #expect(
            await bench.refusal {
                _ = try await AgreeToTerms(bench.ports)(
                    ticket, agreed: pending.terms.map(\.reference), call: bench.call())
            } == .invalidCredentials)
        let next = try await AgreeToTerms(bench.ports)(
            try await bench.ticket(), agreed: pending.terms.map(\.reference), call: bench.call())
        #expect(next.issued?.user.id == user.id)
        let said = try await bench.said(user)
        #expect(said.count == 1)
        #expect(said.first?.isGiven == true && said.first?.occasion == .signIn && said.first?.at == bench.base.now)
        // Nothing is asked again.
        #expect(try await bench.next().issued != nil)
        #expect(try await bench.said(user).count == 1)
    }

    @Test("G-11 R10.2 a sign-up that opens an account at once keeps its password while terms wait to be agreed to")
    func unverifiedSignUp() async throws {
        let bench = try await TermsBench()
        try await bench.publish("1")
        let call = try bench.call().with { $0.confirmation = .nothing }
        var command = try SignUpCommand(
            identifier: bench.base.email(), password: Secret(PasswordBench.password))
        command.signsInUnverified = true
        guard case .signedIn(.terms(let first)) = try await SignUp(bench.ports)(command, call: call) else {
            Issue.record("no terms were asked for")
            return
        }
        // By its password they come as far as by the sign-up itself.
        #expect(try await bench.pending(at: call).terms.count == 1)
        let ticket = try SignInTicket(first.ticket.reveal(), for: .terms, call: call)
        let next = try await AgreeToTerms(bench.ports)(ticket, agreed: first.terms.map(\.reference), call: call)
        #expect(next.issued != nil)
        #expect(try await bench.next(at: call).issued != nil)
    }

    @Test("G-11 a new version is asked for once it takes effect, and sessions that there are go on")
    func newVersion() async throws {
        let bench = try await TermsBench()
        try await bench.base.user()
        try await bench.publish("1")
        let call = try bench.call(agreed: "terms=1")
        let issued = try #require(try await bench.next(at: call).issued)
        let draft = try TermsBench.draft("2", effectiveAt: bench.base.now + .days(1))
        try await TermsAdministration(bench.ports).publish([draft], call: bench.operatorCall())
        #expect(try await bench.next(at: bench.call(after: .hours(23))).issued != nil)
        #expect(try await bench.next(at: bench.call(after: .days(1))).pendingStep == .terms)
        let renewed = try await bench.base.refresh(issued.refreshToken, at: bench.call(after: .days(1)))
        #expect(renewed.session.id == issued.session.id)
        // What is no longer demanded is not asked for.
        _ = try await TermsAdministration(bench.ports).demand(
            false, of: draft.reference, call: bench.operatorCall(after: .days(1)))
        #expect(try await bench.next(at: bench.call(after: .days(1))).issued != nil)
    }

    @Test("G-11 a version that takes effect between the page and its answer is asked for too")
    func publishedBeside() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        try await bench.publish("1")
        let ticket = try await bench.ticket()
        try await bench.publish("2", after: .seconds(5))
        let next = try await AgreeToTerms(bench.ports)(
            ticket, agreed: [try TermsBench.reference("terms", "1")], call: bench.call(after: .seconds(10)))
        guard case .terms(let pending) = next else {
            Issue.record("\(next)")
            return
        }
        #expect(pending.terms.map(\.version) == ["2"])
        // That the first was agreed to is written down all the same.
        #expect(try await bench.said(user).map(\.terms.version) == ["1"])
        let last = try await AgreeToTerms(bench.ports)(
            try SignInTicket(pending.ticket.reveal(), for: .terms, call: bench.call(after: .seconds(10))),
            agreed: pending.terms.map(\.reference), call: bench.call(after: .seconds(10)))
        #expect(last.issued != nil)
    }

    @Test("G-11 of sign-ins beside a publication none has a session without agreement to what held when it was opened")
    func race() async throws {
        let bench = try await TermsBench()
        for index in 0..<20 { try await bench.base.user("u\(index)@example.com") }
        let opened = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for index in 0..<20 {
                group.addTask { (index, try await bench.next("u\(index)@example.com").issued != nil) }
            }
            group.addTask {
                try await bench.publish("1")
                return (-1, false)
            }
            return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        #expect(opened.count == 21)
        // Everybody who comes afterwards is asked, whoever had a session or none.
        for index in 0..<20 {
            #expect(try await bench.next("u\(index)@example.com").pendingStep == .terms)
        }
    }

    @Test("G-11 of 50 who agree at once there is one record")
    func together() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        try await bench.publish("1")
        let pending = try await bench.pending()
        let link = try #require(pending.agreementPage?.split(separator: "=", maxSplits: 1).last.map(String.init))
        let left = try await withThrowingTaskGroup(of: [Terms].self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let call = try bench.call()
                    return try await AgreeToTerms(bench.ports)(
                        try AgreementLink(link, call: call), agreed: pending.terms.map(\.reference), call: call)
                }
            }
            return try await group.reduce(into: [Terms]()) { $0 += $1 }
        }
        #expect(left.isEmpty)
        let said = try await bench.said(user)
        #expect(said.count == 1 && said.first?.sequence == 1)
    }

    @Test("G-11 a protocol without the step is told so, with a page that agrees and opens nothing")
    func page() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        try await bench.publish("1")
        let error = await bench.base.error { _ = try await bench.next().session() }
        #expect(error?.code == .termsNotAgreed)
        let page = try #require(error?.page)
        #expect(page.hasPrefix("https://auth.example/account/terms?agreement="))
        // Neither the log's words nor the address itself name the user.
        #expect(error?.description == "terms_not_agreed" && !page.contains(user.id.rawValue))
        let text = String(page.drop { $0 != "=" }.dropFirst())
        #expect(
            await bench.refusal { _ = try AgreementLink(String(text.dropLast(2)), call: bench.call()) }
                == .flowStateNotFound)
        #expect(
            await bench.refusal { _ = try AgreementLink(text, call: bench.call(after: .minutes(31))) }
                == .flowStateExpired)
        let link = try AgreementLink(text, call: bench.call())
        // What ends what was proved ends it.
        try await bench.base.write(user) { $0.bannedUntil = bench.base.now + .days(1) }
        #expect(
            await bench.refusal { _ = try await AgreeToTerms(bench.ports).due(for: link, call: bench.call()) }
                == .userBanned)
        try await bench.base.write(user) { $0.bannedUntil = nil }
        let due = try await AgreeToTerms(bench.ports).due(for: link, call: bench.call())
        #expect(try await AgreeToTerms(bench.ports)(link, agreed: due.map(\.reference), call: bench.call()).isEmpty)
        #expect(try await bench.next().issued != nil)
        try await bench.base.write(user) { $0.tokensValidSince = bench.base.now + .seconds(1) }
        #expect(
            await bench.refusal { _ = try await AgreeToTerms(bench.ports).due(for: link, call: bench.call()) }
                == .flowStateExpired)
    }

    @Test("G-11 what a sign-up says that its user agrees to is written down with it, whoever had an account before")
    func signUp() async throws {
        let bench = try await TermsBench { $0.signUp.emailAutoConfirm = true }
        try await bench.publish("1")
        try await bench.publish("1", of: "news", kind: .purpose, demanded: false)
        func command(_ email: String) throws -> SignUpCommand {
            SignUpCommand(
                identifier: .email(try EmailAddress(email)), password: Secret(PasswordBench.password))
        }
        let call = try bench.call(agreed: "terms=1, news=1")
        guard case .signedIn(let next) = try await SignUp(bench.ports)(command("n@example.com"), call: call) else {
            Issue.record("no session")
            return
        }
        let said = try await bench.said(try #require(next.issued).user)
        #expect(said.map(\.terms.name).sorted() == ["news", "terms"])
        #expect(said.allSatisfy { $0.occasion == .signUp && $0.isGiven })
        // Unknown versions are refused before anything is known of the address.
        try await bench.base.user("known@example.com")
        for email in ["known@example.com", "unknown@example.com"] {
            let refusal = await bench.refusal {
                _ = try await SignUp(bench.ports)(command(email), call: try bench.call(agreed: "terms=9"))
            }
            #expect(refusal == .invalidRequest)
        }
        // Without agreement there is an account, and no session yet.
        guard case .signedIn(let other) = try await SignUp(bench.ports)(command("m@example.com"), call: bench.call())
        else {
            Issue.record("no step")
            return
        }
        #expect(other.pendingStep == .terms)
    }

    @Test("G-11 who was anybody agrees to nothing, until they are somebody")
    func anonymous() async throws {
        let bench = try await TermsBench { $0.signUp.anonymousEnabled = true }
        try await bench.publish("1")
        let next = try await AnonymousSignUp(bench.ports)(userMetadata: [:], call: bench.call())
        #expect(next.issued != nil)
    }

    @Test("G-11 an app that says the same with each sign-in undoes nothing that its user has done since")
    func repeated() async throws {
        let bench = try await TermsBench()
        let user = try await bench.base.user()
        try await bench.publish("1")
        try await bench.publish("1", of: "news", kind: .purpose, demanded: false)
        let old = try bench.call(agreed: "terms=1,news=1")
        #expect(try await bench.next(at: old).issued != nil)
        _ = try await UserConsents(bench.ports).change(
            [ConsentWord(name: "news", isGiven: false)], of: user.id, call: bench.call())
        try await bench.publish("2", after: .seconds(1))
        #expect(try await bench.next(at: bench.call(after: .seconds(2), agreed: "terms=2")).issued != nil)
        let count = try await bench.said(user).count
        #expect(try await bench.next(at: bench.call(after: .seconds(3), agreed: "terms=1,news=1")).issued != nil)
        #expect(try await bench.said(user).count == count)
    }
}
