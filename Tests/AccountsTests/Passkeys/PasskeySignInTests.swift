// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("Signing in by a passkey")
struct PasskeySignInTests {
    @Test("G-9.2 whoever has a passkey signs in by it alone, and nobody says who they are before")
    func signsIn() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let question = try await PasskeySignIn(bench.ports).begin(call: bench.call())
        #expect(question.options["allowCredentials"] == [])
        #expect(question.challenge.userID == nil)
        let issued = try await bench.signIn(by: &owner.authenticator).session()
        #expect(issued.user.id == owner.user.id)
        #expect(issued.session.methods.map(\.name) == [.passkey])
        #expect(issued.session.assurance == .aal2)
        #expect(try await bench.stored(owner.passkey).lastUsedAt == bench.call().now)
    }

    @Test("G-9.2 a passkey that has not verified its user is one factor: a second one is asked for of who has one")
    func presence() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        owner.authenticator.isUserVerified = false
        let low = try await bench.signIn(by: &owner.authenticator).session()
        #expect(low.session.assurance == .aal1 && low.session.methods.map(\.name) == [.passkeyPresence])
        let other = try await bench.factors.owner("b@example.com")
        var authenticator = bench.authenticator()
        _ = try await bench.register(&authenticator, for: other.session)
        authenticator.isUserVerified = false
        #expect(try await bench.signIn(by: &authenticator).pendingStep == .secondFactor)
        authenticator.isUserVerified = true
        #expect(try await bench.signIn(by: &authenticator).session().session.assurance == .aal2)
    }

    @Test("G-9.2 a passkey is no second factor: who has one is not asked for it beside a password")
    func isNoFactor() async throws {
        let bench = try await PasskeyBench()
        _ = try await bench.owner()
        let issued = try await bench.base.signIn()
        #expect(issued.session.assurance == .aal1)
        let owner = issued.user.id
        #expect(try await UserFactors(bench.ports).list(of: owner, call: bench.call()).isEmpty)
        #expect(try await UserPasskeys(bench.ports).list(of: owner, call: bench.call()).count == 1)
    }

    @Test("R14.2 of 50 answers to one challenge at once, one opens a session")
    func raced() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let call = bench.call()
        let question = try await PasskeySignIn(bench.ports).begin(call: call)
        let answer = try owner.authenticator.get(question.options)
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await bench.refusal {
                        _ = try await PasskeySignIn(bench.ports)(question.challenge.id, answer, call: call).session()
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .factorChallengeNotFound } == 49)
    }

    @Test(
        "R14.2 a challenge is answered in its time, dialect and client, and with what it was bound to, and nowhere else"
    )
    func bound() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let call = bench.call()
        let flow = PasskeySignIn(bench.ports)
        let question = try await flow.begin(boundTo: "cookie", call: call)
        let answer = try owner.authenticator.get(question.options)
        func refusal(_ binding: String?, _ call: CallContext) async -> AuthErrorCode? {
            await bench.refusal { _ = try await flow(question.challenge.id, answer, boundTo: binding, call: call) }
        }
        #expect(await refusal(nil, call) == .factorChallengeNotFound)
        #expect(await refusal("another", call) == .factorChallengeNotFound)
        #expect(await refusal("cookie", call.with { $0.dialect = DialectName("else") }) == .factorChallengeNotFound)
        // None of them has spent it.
        #expect(await refusal("cookie", call) == nil)
        let late = try await flow.begin(call: call)
        let lateAnswer = try owner.authenticator.get(late.options)
        let refused = await bench.refusal {
            _ = try await flow(late.challenge.id, lateAnswer, call: bench.call(after: .minutes(5)))
        }
        #expect(refused == .factorChallengeExpired)
    }

    @Test("R14.2 a registration's challenge signs nobody in, and a sign-in's makes no passkey")
    func ceremonies() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let call = bench.open()
        let registration = try await RegisterPasskey(bench.ports).begin(for: owner.session, call: call)
        var options = registration.options
        options["rpId"] = "app.example"
        let answer = try owner.authenticator.get(options)
        #expect(
            await bench.refusal {
                _ = try await PasskeySignIn(bench.ports)(registration.challenge.id, answer, call: call)
            } == .factorChallengeNotFound)
        let signIn = try await PasskeySignIn(bench.ports).begin(call: call)
        let made = try bench.authenticator().creating(registration.options, challenge: signIn.options)
        #expect(
            await bench.refusal {
                _ = try await RegisterPasskey(bench.ports).complete(
                    signIn.challenge.id, made, of: owner.session, call: call)
            } == .factorChallengeNotFound)
    }

    @Test("R14.2 an account that may not sign in, does not by a passkey either; an unknown one is a wrong one")
    func accounts() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        func refusal(_ call: CallContext? = nil) async -> AuthErrorCode? {
            await bench.refusal { _ = try await bench.signIn(by: &owner.authenticator, at: call).session() }
        }
        try await bench.base.write(owner.user) { $0.bannedUntil = bench.base.now + .minutes(1) }
        #expect(await refusal() == .userBanned)
        #expect(await refusal(bench.call(after: .minutes(2))) == nil)
        try await bench.base.write(owner.user) {
            ($0.bannedUntil, $0.emailVerifiedAt, $0.confirmedAt) = (nil, nil, nil)
        }
        #expect(await refusal() == .emailNotVerified)
        try await bench.base.write(owner.user) {
            $0.emailVerifiedAt = bench.base.now
            $0.deletedAt = bench.base.now
        }
        #expect(await refusal() == .passkeyRefused)
        var stranger = bench.authenticator()
        var creation = try await RegisterPasskey(bench.ports).begin(
            for: try await bench.newcomer(), call: bench.open()
        ).options
        creation["excludeCredentials"] = []
        _ = try stranger.create(creation)
        #expect(
            await bench.refusal { _ = try await bench.signIn(by: &stranger).session() } == .passkeyRefused)
        #expect(try await bench.reasons().contains("credentialNotAllowed"))
    }

    @Test("R14.2 somebody who says who they are is asked for their own; of nobody one is asked for, the same each time")
    func named() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        var other = try await bench.owner("b@example.com")
        let flow = PasskeySignIn(bench.ports)
        let call = bench.call()
        func allowed(_ email: String) async throws -> JSONValue? {
            try await flow.begin(as: bench.base.email(email), call: call).options["allowCredentials"]
        }
        #expect(
            try await allowed("a@example.com")?.arrayValue?.first?.objectValue?["id"]?.stringValue
                == owner.passkey.webAuthn.map { Base64URL.encode($0.id) })
        let nobody = try await allowed("nobody@example.com")
        #expect(nobody?.arrayValue?.count == 1)
        #expect(try await allowed("nobody@example.com") == nobody)
        let question = try await flow.begin(as: bench.base.email("a@example.com"), call: call)
        let wrong = try other.authenticator.get(question.options, by: other.authenticator.credentials[0])
        #expect(
            await bench.refusal { _ = try await flow(question.challenge.id, wrong, call: call) } == .passkeyRefused)
        let again = try await flow.begin(as: bench.base.email("a@example.com"), call: call)
        let right = try owner.authenticator.get(again.options)
        #expect(try await flow(again.challenge.id, right, call: call).user.id == owner.user.id)
    }

    @Test("G-9.2 where there are no passkeys, none is asked for, added or taken")
    func disabled() async throws {
        let bench = try await PasskeyBench { $0.passkeys.enabled = false }
        _ = try await bench.base.user()
        let session = try await bench.factors.signedIn(at: bench.open())
        #expect(
            await bench.refusal { _ = try await PasskeySignIn(bench.ports).begin(call: bench.call()) }
                == .factorDisabled)
        #expect(
            await bench.refusal { _ = try await RegisterPasskey(bench.ports).begin(for: session, call: bench.open()) }
                == .factorDisabled)
    }
}

extension VirtualAuthenticator {
    /// Makes what the options say, for another challenge.
    fileprivate func creating(_ options: JSONObject, challenge other: JSONObject) throws -> JSONObject {
        var maker = self
        maker.challenge = other["challenge"]?.stringValue
        return try maker.create(options)
    }
}

extension PasskeyBench {
    fileprivate func newcomer() async throws -> AuthenticatedUser {
        _ = try await base.user("new@example.com")
        return try await factors.signedIn("new@example.com", at: open())
    }
}
