// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("G-11 What is agreed to with a message waits until it is answered") struct AgreedTermsTests {
    private static let address = "ada@example.com"
    private static let number = "+4915112345678"

    /// By what somebody comes in without a password.
    enum Way: CaseIterable {
        case link, text

        var recipient: String { self == .link ? AgreedTermsTests.address : AgreedTermsTests.number }

        func identifier() throws -> SignInIdentifier {
            self == .link ? .email(try EmailAddress(recipient)) : .phone(try PhoneNumber(recipient))
        }
    }

    private func bench() async throws -> TermsBench {
        let bench = try await TermsBench { $0.signUp.phoneEnabled = true }
        try await bench.publish("1")
        return bench
    }

    /// A call from somewhere, which may say what is agreed to.
    private func call(
        _ bench: TermsBench, from place: String = "home", agreed: String? = nil, after span: TimeSpan = .zero
    ) throws -> CallContext {
        try bench.call(after: span, agreed: agreed).with {
            $0.origin = place
            $0.dialect = DialectName("plain")
        }
    }

    /// Asks for a message and gives its code.
    private func ask(_ way: Way, _ bench: TermsBench, _ call: CallContext) async throws -> String {
        switch try way.identifier() {
        case .email(let email): try await RequestMagicLink(bench.ports)(email, call: call)
        case .phone(let number): try await RequestPhoneCode(bench.ports)(number, call: call)
        case .username, .user: break
        }
        return try await newest(to: way.recipient, bench)
    }

    private func newest(to recipient: String, _ bench: TermsBench) async throws -> String {
        try #require(try await bench.base.base.messages(to: recipient).compactMap(\.code).first)
    }

    private func answer(
        _ way: Way, _ code: String, _ bench: TermsBench, _ call: CallContext
    ) async throws -> SignInStep? {
        let outcome = try await VerifyProof(bench.ports)(
            .code(try way.identifier(), code), purposes: [.signUpConfirmation, .magicLink, .phoneSignIn], call: call)
        guard case .signedIn(let next) = outcome else { return nil }
        return next
    }

    private func user(_ way: Way, _ bench: TermsBench) async throws -> User {
        let (identifier, id) = (try way.identifier(), bench.base.base.directory.id)
        return try #require(try await bench.ports.store.read { try $0.user(known: identifier, in: id) })
    }

    @Test(
        "G-11 a sign-up by a link or a code agrees once its message is answered, as of when it was said, and is not asked again",
        arguments: Way.allCases)
    func signUp(way: Way) async throws {
        let bench = try await bench()
        let code = try await ask(way, bench, try call(bench, agreed: "terms=1"))
        let waiting = try await user(way, bench)
        #expect(try await bench.said(waiting).isEmpty)
        // From anywhere: the account is whoever's has the message.
        let next = try await answer(way, code, bench, try call(bench, from: "elsewhere", after: .minutes(2)))
        #expect(next?.issued != nil, "\(String(describing: next?.pendingStep))")
        let said = try await bench.said(waiting)
        #expect(said.map(\.terms) == [try TermsBench.reference("terms", "1")])
        #expect(said.first?.occasion == .signUp && said.first?.at == bench.base.now)
        #expect(said.first?.dialect == DialectName("plain"))
    }

    @Test("G-11 of two who ask for one address, what one has agreed to is not the other's", arguments: Way.allCases)
    func replaced(way: Way) async throws {
        let bench = try await bench()
        _ = try await ask(way, bench, try call(bench, from: "stranger", agreed: "terms=1"))
        let code = try await ask(way, bench, try call(bench, after: .minutes(5)))
        let next = try await answer(way, code, bench, try call(bench, after: .minutes(6)))
        #expect(next?.pendingStep == .terms)
        #expect(try await bench.said(try await user(way, bench)).isEmpty)
    }

    @Test(
        "G-11 a stranger's request has the owner of an account agree to nothing, and their own does",
        arguments: [true, false])
    func owned(isOwn: Bool) async throws {
        let bench = try await bench()
        let user = try await bench.base.user(Self.address)
        let code = try await ask(.link, bench, try call(bench, from: isOwn ? "home" : "stranger", agreed: "terms=1"))
        let next = try await answer(.link, code, bench, try call(bench, after: .minutes(2)))
        #expect((next?.issued != nil) == isOwn)
        let said = try await bench.said(user)
        #expect(said.map(\.occasion) == (isOwn ? [.signIn] : []))
        #expect(said.allSatisfy { $0.at == bench.base.now })
    }

    @Test("G-11 a purpose that its user has withdrawn since is not given again by a message that was asked for before")
    func withdrawn() async throws {
        let bench = try await bench()
        let user = try await bench.base.user(Self.address)
        let code = try await ask(.link, bench, try call(bench, agreed: "terms=1,analytics=1"))
        let no = [ConsentWord(name: "analytics", isGiven: false)]
        let yes = [ConsentWord(name: "analytics", isGiven: true)]
        for (words, seconds) in [(yes, 10), (no, 20)] as [([ConsentWord], Int64)] {
            _ = try await UserConsents(bench.ports).change(
                words, of: user.id, call: try call(bench, after: .seconds(seconds)))
        }
        let next = try await answer(.link, code, bench, try call(bench, after: .minutes(2)))
        #expect(next?.issued != nil)
        let states = try await UserConsents(bench.ports).list(of: user.id, call: try call(bench, after: .minutes(3)))
        #expect(states.first { $0.terms.name == "analytics" }?.isGiven == false)
        #expect(states.first { $0.terms.name == "terms" }?.isGiven == true)
    }

    @Test(
        "G-11 a message that is sent again keeps what its asker has said, and nothing of another's",
        arguments: [true, false])
    func again(isSame: Bool) async throws {
        let bench = try await bench()
        let first = try await ask(.link, bench, try call(bench, agreed: "terms=1"))
        let later = try call(bench, from: isSame ? "home" : "stranger", after: .minutes(5))
        let email = try EmailAddress(Self.address)
        #expect(try await ResendMessage(bench.ports)(.signUpConfirmation, to: .email(email), call: later))
        let second = try await newest(to: Self.address, bench)
        #expect(first != second)
        let next = try await answer(.link, second, bench, try call(bench, after: .minutes(6)))
        #expect((next?.issued != nil) == isSame && (next?.pendingStep == .terms) == !isSame)
        let said = try await bench.said(try await user(.link, bench))
        #expect(said.map(\.at) == (isSame ? [bench.base.now] : []))
    }

    @Test(
        "G-11 a request that agrees to what there is not is refused, whoever is named, and sends nothing",
        arguments: Way.allCases)
    func unknown(way: Way) async throws {
        let bench = try await bench()
        let call = try call(bench, agreed: "terms=7")
        #expect(await bench.refusal { _ = try await ask(way, bench, call) } == .invalidRequest)
        #expect(try await bench.base.base.messages(to: way.recipient).isEmpty)
    }
}
