// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import TestBench
import Testing

@testable import Accounts

@Suite("A user's passkeys")
struct UserPasskeysTests {
    @Test("R14.2 an old session adds nobody's passkey, which would let whoever stole its token in for good")
    func oldSession() async throws {
        let bench = try await PasskeyBench()
        try await bench.base.user("a@example.com")
        let session = try await bench.factors.signedIn("a@example.com", at: bench.open())
        func begin(after span: TimeSpan) async -> AuthErrorCode? {
            await bench.refusal {
                _ = try await RegisterPasskey(bench.ports).begin(for: session, call: bench.open(after: span))
            }
        }
        #expect(await begin(after: .minutes(61)) == .reauthenticationNeeded)
        #expect(await begin(after: .minutes(60)) == nil)
    }

    @Test(
        "G-9.2 the handle that authenticators are given says nothing of the person, and none is made twice"
    )
    func options() async throws {
        let bench = try await PasskeyBench { $0.passkeys.relyingPartyName = "Shop" }
        var owner = try await bench.owner()
        let question = try await RegisterPasskey(bench.ports).begin(for: owner.session, call: bench.open())
        #expect(question.isRegistration)
        #expect(question.options["rp"] == ["id": "app.example", "name": "Shop"])
        let user = try #require(question.options["user"]?.objectValue)
        #expect(user["name"] == "a@example.com")
        let handle = try #require(user["id"]?.stringValue.flatMap { Base64URL.decode($0) })
        #expect(handle.count == 32)
        // One of a user, so that an authenticator keeps one; another of another.
        #expect(handle == owner.passkey.webAuthn?.userHandle)
        let other = try await bench.owner("b@example.com")
        #expect(handle != other.passkey.webAuthn?.userHandle)
        #expect(question.options["authenticatorSelection"]?.objectValue?["residentKey"] == "required")
        #expect(throws: VirtualAuthenticator.Failure.self) { _ = try owner.authenticator.create(question.options) }
    }

    @Test("R14.2 of 50 answers to one registration at once, one makes a passkey, and its owner is told once")
    func raced() async throws {
        let bench = try await PasskeyBench()
        let user = try await bench.base.user()
        let call = bench.open()
        let session = try await bench.factors.signedIn(at: call)
        let flow = RegisterPasskey(bench.ports)
        let question = try await flow.begin(for: session, call: call)
        var authenticator = bench.authenticator()
        let answer = try authenticator.create(question.options)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await bench.refusal {
                        _ = try await flow.complete(question.challenge.id, answer, of: session, call: call)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .factorChallengeNotFound } == 49)
        #expect(try await UserPasskeys(bench.ports).list(of: user.id, call: call).count == 1)
        let kinds = try await bench.base.base.messages(to: "a@example.com").map(\.kind)
        #expect(kinds.count { $0 == "passkey_added" } == 1)
    }

    @Test("R14.2 who has a second factor adds and removes a passkey in a session that shows it, and in no other")
    func assurance() async throws {
        let bench = try await PasskeyBench()
        let owner = try await bench.factors.owner()
        var authenticator = bench.authenticator()
        let passkey = try await bench.register(&authenticator, for: owner.session)
        let low = try await bench.factors.signedIn(at: bench.open())
        #expect(
            await bench.refusal { _ = try await RegisterPasskey(bench.ports).begin(for: low, call: bench.open()) }
                == .insufficientAssurance)
        let question = try await RegisterPasskey(bench.ports).begin(for: owner.session, call: bench.open())
        var another = bench.authenticator()
        let answer = try another.create(question.options)
        // Nor is what was begun in the one finished in the other.
        #expect(
            await bench.refusal {
                _ = try await RegisterPasskey(bench.ports).complete(
                    question.challenge.id, answer, of: low, call: bench.open())
            } == .insufficientAssurance)
        #expect(
            await bench.refusal {
                _ = try await UserPasskeys(bench.ports).remove(passkey.id, of: low, call: bench.open())
            } == .insufficientAssurance)
        _ = try await UserPasskeys(bench.ports).remove(passkey.id, of: owner.session, call: bench.open())
        #expect(try await UserPasskeys(bench.ports).list(of: owner.user.id, call: bench.open()).isEmpty)
    }

    @Test(
        "R14.2 a challenge of one session is answered in no other, and nobody's credential is taken twice"
    )
    func sessions() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let flow = RegisterPasskey(bench.ports)
        let call = bench.open()
        let other = try await bench.factors.signedIn(at: call)
        let question = try await flow.begin(for: owner.session, call: call)
        var authenticator = bench.authenticator()
        let answer = try authenticator.create(question.options)
        #expect(
            await bench.refusal { _ = try await flow.complete(question.challenge.id, answer, of: other, call: call) }
                == .factorChallengeNotFound)
        _ = try await bench.base.user("b@example.com")
        let ben = try await bench.factors.signedIn("b@example.com", at: call)
        let bens = try await flow.begin(for: ben, call: call)
        let stolen = try authenticator.again(0, bens.options)
        _ = try await flow.complete(question.challenge.id, answer, of: owner.session, call: call)
        #expect(
            await bench.refusal { _ = try await flow.complete(bens.challenge.id, stolen, of: ben, call: call) }
                == .factorExists)
        #expect(try await bench.signIn(by: &owner.authenticator).user.id == owner.user.id)
    }

    @Test("G-9.2 passkeys are listed, named and removed by their owner, and by nobody else")
    func keeping() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let other = try await bench.owner("b@example.com")
        let call = bench.open()
        let flow = UserPasskeys(bench.ports)
        let named = try await flow.rename(owner.passkey.id, to: "Phone", of: owner.session, call: call)
        #expect(named.name == "Phone")
        for refused in [
            await bench.refusal {
                _ = try await flow.rename(owner.passkey.id, to: "x", of: other.session, call: call)
            },
            await bench.refusal { _ = try await flow.remove(owner.passkey.id, of: other.session, call: call) },
            await bench.refusal {
                _ = try await UserFactors(bench.ports).remove(owner.passkey.id, of: owner.session, call: call)
            },
        ] { #expect(refused == .factorNotFound) }
        let long = String(repeating: "x", count: 129)
        #expect(
            await bench.refusal { _ = try await flow.rename(owner.passkey.id, to: long, of: owner.session, call: call) }
                == .invalidRequest)
        _ = try await flow.remove(owner.passkey.id, of: owner.session, call: call)
        #expect(
            await bench.refusal { _ = try await bench.signIn(by: &owner.authenticator).session() }
                == .passkeyRefused)
        let kinds = try await bench.base.base.messages(to: "a@example.com").map(\.kind)
        #expect(kinds.contains("passkey_added") && kinds.contains("passkey_removed"))
    }

    @Test("R14.2 with the last passkey gone, sessions that it alone has raised are low again")
    func lowered() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let raised = try await bench.signIn(by: &owner.authenticator).session()
        _ = try await UserPasskeys(bench.ports).remove(owner.passkey.id, of: owner.session, call: bench.open())
        #expect(try await bench.factors.stored(raised.session).assurance == .aal1)
    }

    @Test("G-9.2 a user has as many passkeys as the Directory says")
    func maximum() async throws {
        let bench = try await PasskeyBench { $0.passkeys.maximum = 2 }
        let owner = try await bench.owner()
        var second = bench.authenticator()
        _ = try await bench.register(&second, for: owner.session)
        #expect(
            await bench.refusal {
                _ = try await RegisterPasskey(bench.ports).begin(for: owner.session, call: bench.open())
            } == .tooManyFactors)
    }

    @Test(
        "G-9.2 the site is the relying party where the operator names none, and a client's are beside it")
    func relyingParty() async throws {
        let bench = try await PasskeyBench()
        #expect(try bench.call().relyingParty().id == "app.example")
        #expect(try bench.call().relyingParty().origins == ["https://app.example", "https://auth.example"])
        var call = bench.call()
        call.directory.settings.passkeys.origins = ["android:apk-key-hash:abc"]
        call.directory.settings.passkeys.relyingPartyID = "example"
        call.client = Client(
            id: ClientID("c"), directoryID: call.directory.id, name: "c", dialect: nil, settings: ClientSettings(),
            createdAt: call.now, updatedAt: call.now)
        call.client?.settings.passkeyOrigins = ["https://other.example"]
        #expect(try call.relyingParty().id == "example")
        #expect(try call.relyingParty().origins == ["android:apk-key-hash:abc", "https://other.example"])
        for (url, origin) in [
            ("https://A.example/x?y", "https://a.example"), ("https://a.example:443", "https://a.example"),
            ("http://localhost:3000/", "http://localhost:3000"), ("https://[::1]:8443/x", "https://[::1]:8443"),
            ("https://u@a.example", nil), ("a.example", nil), ("ftp://a.example", nil), ("https://", nil),
        ] { #expect(WebOrigin(url)?.text == origin) }
    }
}

extension PasskeyBench {
    /// Sets a security key up as a second factor, and raises the session by it.
    func key(
        _ authenticator: inout VirtualAuthenticator, for session: inout AuthenticatedUser, at call: CallContext
    ) async throws -> Factor {
        let enrolled = try await EnrolFactor(ports)(.webAuthn, named: "key", for: session, call: call)
        let question = try await ChallengeFactor(ports).webAuthn(enrolled.factor.id, of: session, call: call)
        let answer = try authenticator.create(question.options)
        let issued = try await StepUp(ports)(
            .webAuthn(answer, of: enrolled.factor.id, challenge: question.challenge.id), of: session, call: call)
        session = try await base.authenticated(issued, at: call)
        return enrolled.factor
    }
}
