// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// What is wrong with an answer, and what the operator reads of it. The caller is told the same of each.
@Suite("Wrong answers of passkeys")
struct PasskeyAnswerTests {
    struct Row: Sendable, CustomStringConvertible {
        var description: String
        /// As the audit log has it.
        var reason: String
        var settings: @Sendable (inout DirectorySettings) -> Void = { _ in }
        var change: @Sendable (inout VirtualAuthenticator) -> Void = { _ in }
        var tamper: @Sendable (JSONObject) -> JSONObject = { $0 }
    }

    private static func member(_ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]) -> (
        @Sendable (JSONObject) -> JSONObject
    ) {
        { answer in
            var answer = answer
            var response = answer["response"]?.objectValue ?? [:]
            let octets = response[name]?.stringValue.flatMap { Base64URL.decode($0) } ?? []
            response[name] = .string(Base64URL.encode(change(octets)))
            answer["response"] = .object(response)
            return answer
        }
    }

    private static func flipping(_ place: Int) -> @Sendable ([UInt8]) -> [UInt8] {
        { octets in
            var octets = octets
            if octets.indices.contains(place) { octets[place] ^= 1 }
            return octets
        }
    }

    static let rows: [Row] = [
        Row(
            description: "a foreign origin", reason: "originNotAllowed", change: { $0.origin = "https://evil.example" }),
        Row(description: "a subdomain's", reason: "originNotAllowed", change: { $0.origin = "https://x.app.example" }),
        Row(description: "without TLS", reason: "originNotAllowed", change: { $0.origin = "http://app.example" }),
        Row(
            description: "another port", reason: "originNotAllowed", change: { $0.origin = "https://app.example:8443" }),
        Row(
            description: "another rpId", reason: "relyingPartyMismatch", change: { $0.relyingPartyID = "evil.example" }),
        Row(
            description: "another challenge", reason: "challengeMismatch",
            change: {
                $0.challenge = Base64URL.encode([UInt8](repeating: 7, count: 32))
            }),
        Row(description: "an empty challenge", reason: "challengeMismatch", change: { $0.challenge = "" }),
        Row(description: "the other ceremony", reason: "ceremonyMismatch", change: { $0.type = "webauthn.create" }),
        Row(description: "a payment", reason: "ceremonyMismatch", change: { $0.type = "payment.get" }),
        Row(description: "nobody there", reason: "userNotPresent", change: { $0.isUserPresent = false }),
        Row(
            description: "user verification left out that was required", reason: "userNotVerified",
            settings: { $0.passkeys.userVerification = .required }, change: { $0.isUserVerified = false }),
        Row(description: "backed up all at once", reason: "backupStateInvalid", change: { $0.isBackedUp = true }),
        Row(description: "another bit signed", reason: "signatureInvalid", tamper: member("signature", flipping(40))),
        Row(
            description: "another counter than was signed", reason: "signatureInvalid",
            tamper: member("authenticatorData", flipping(36))),
        Row(
            description: "another user's handle", reason: "userHandleMismatch",
            tamper: member("userHandle", flipping(0))),
        Row(description: "no handle", reason: "userHandleMissing", tamper: member("userHandle") { _ in [] }),
        Row(description: "no signature", reason: "malformed", tamper: member("signature") { _ in [] }),
        Row(
            description: "more than is read", reason: "tooLarge",
            tamper: member("authenticatorData") { $0 + [UInt8](repeating: 0, count: 9000) }),
        Row(description: "nothing", reason: "malformed", tamper: { _ in [:] }),
    ]

    @Test(
        "R14.2 an answer that does not hold signs nobody in, is told nothing of why, and spends its challenge",
        arguments: rows)
    func signIn(_ row: Row) async throws {
        let bench = try await PasskeyBench(row.settings)
        let owner = try await bench.owner()
        var authenticator = owner.authenticator
        row.change(&authenticator)
        let call = bench.call()
        let flow = PasskeySignIn(bench.ports)
        let question = try await flow.begin(call: call)
        let wrong = row.tamper(try authenticator.get(question.options))
        #expect(
            await bench.refusal { _ = try await flow(question.challenge.id, wrong, call: call) } == .passkeyRefused)
        #expect(try await bench.reasons() == [row.reason])
        var honest = owner.authenticator
        let right = try honest.get(question.options)
        #expect(
            await bench.refusal { _ = try await flow(question.challenge.id, right, call: call) }
                == .factorChallengeNotFound)
    }

    @Test("R14.2 an answer that does not hold raises no session, and locks nobody out", arguments: rows)
    func secondFactor(_ row: Row) async throws {
        // Beside a password somebody has said who it is: the handle need not.
        guard row.reason != "userHandleMissing" else { return }
        let bench = try await PasskeyBench(row.settings)
        _ = try await bench.base.user()
        let call = bench.open()
        var session = try await bench.factors.signedIn(at: call)
        var authenticator = bench.authenticator()
        let factor = try await bench.key(&authenticator, for: &session, at: call)
        var bad = authenticator
        row.change(&bad)
        let low = try await bench.factors.signedIn(at: call)
        for _ in 0..<4 {
            let question = try await ChallengeFactor(bench.ports).webAuthn(factor.id, of: low, call: call)
            let answer = row.tamper(try bad.get(question.options))
            #expect(
                await bench.refusal {
                    _ = try await StepUp(bench.ports)(
                        .webAuthn(answer, of: factor.id, challenge: question.challenge.id), of: low, call: call)
                } == .factorCodeInvalid)
        }
        #expect(try await Set(bench.reasons(.factorFailed)) == [row.reason])
        let question = try await ChallengeFactor(bench.ports).webAuthn(factor.id, of: low, call: call)
        let proof = FactorProof.webAuthn(
            try authenticator.get(question.options), of: factor.id, challenge: question.challenge.id)
        #expect(try await StepUp(bench.ports)(proof, of: low, call: call).session.assurance == .aal2)
        #expect(
            await bench.refusal { _ = try await StepUp(bench.ports)(proof, of: low, call: call) } == .factorCodeUsed)
    }

    @Test(
        "R14.2 a registration that does not hold makes no passkey",
        arguments: rows.filter {
            !$0.reason.contains("userHandle") && !$0.reason.contains("signature") && $0.reason != "backupStateInvalid"
        })
    func registration(_ row: Row) async throws {
        let bench = try await PasskeyBench(row.settings)
        let user = try await bench.base.user()
        let session = try await bench.factors.signedIn(at: bench.open())
        var authenticator = bench.authenticator()
        row.change(&authenticator)
        if authenticator.type == "webauthn.create" { authenticator.type = "webauthn.get" }
        let flow = RegisterPasskey(bench.ports)
        let question = try await flow.begin(for: session, call: bench.open())
        var answer = try authenticator.create(question.options)
        if row.reason == "malformed" || row.reason == "tooLarge" { answer = [:] }
        #expect(
            await bench.refusal {
                _ = try await flow.complete(question.challenge.id, answer, of: session, call: bench.open())
            } == .factorCodeInvalid)
        #expect(try await UserPasskeys(bench.ports).list(of: user.id, call: bench.open()).isEmpty)
    }

    @Test("R14.2 a counter that goes back is refused, or where the operator wants it so recorded")
    func counters() async throws {
        for policy in DirectorySettings.CounterPolicy.allCases {
            let bench = try await PasskeyBench { $0.passkeys.counters = policy }
            var owner = try await bench.owner()
            owner.authenticator.count = 10
            _ = try await bench.signIn(by: &owner.authenticator).session()
            #expect(try await bench.stored(owner.passkey).webAuthn?.signatureCount == 11)
            owner.authenticator.count = 5
            let refusal = await bench.refusal { _ = try await bench.signIn(by: &owner.authenticator).session() }
            #expect(refusal == (policy == .refuse ? .passkeyRefused : nil))
            #expect(try await bench.stored(owner.passkey).webAuthn?.signatureCount == 11)
            let action = policy == .refuse ? AuditEvent.Action.signInFailed : .factorFailed
            #expect(try await bench.reasons(action) == ["counterRegressed"])
        }
    }

    @Test("R14.2 no bit of an answer can be turned: 400 that were, sign nobody in")
    func bits() async throws {
        let bench = try await PasskeyBench()
        var owner = try await bench.owner()
        let call = bench.call()
        let flow = PasskeySignIn(bench.ports)
        var state: UInt64 = 62
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        for _ in 0..<400 {
            let question = try await flow.begin(call: call)
            let answer = try owner.authenticator.get(question.options)
            let names = ["clientDataJSON", "authenticatorData", "signature", "userHandle"]
            let wrong = Self.member(names[next(4)]) { [place = next(1 << 20), bit = next(8)] octets in
                var octets = octets
                octets[place % octets.count] ^= 1 << bit
                return octets
            }(answer)
            let refusal = await bench.refusal { _ = try await flow(question.challenge.id, wrong, call: call) }
            #expect(refusal == .passkeyRefused, "\(wrong)")
        }
    }
}
