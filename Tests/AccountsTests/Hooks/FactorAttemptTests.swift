// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// What a program of the operator's hears of answers that prove a second factor, and what its no comes to.
@Suite("Programs that hear of second factors") struct FactorAttemptTests {
    /// A vendor's form that says which factor it was and whether the answer was right; `no` ends every session.
    private struct Form: HookForm {
        static let hooks: [String: HookMoment] = [:]
        static let timeout: Int64 = 5
        static let needsSecrets = false

        func body(_ question: HookQuestion, hook _: BlockingHook, id _: String) async throws -> [UInt8]? {
            guard case .factorAttempt(let subject, let factor, let kind, let isRight) = question.matter else {
                return nil
            }
            let object: JSONObject = [
                "user": .string(subject.user.id.rawValue), "factor": .string(factor.rawValue),
                "kind": .string(kind.rawValue), "valid": .bool(isRight),
            ]
            return object.serialized()
        }

        func answer(_ reply: HookReply, to _: HookQuestion, hook _: BlockingHook) throws(AuthError) -> HookAnswer {
            switch reply.status {
            case 200: return .allowed(HookChanges())
            case 403: return .refusal("no", endsSessions: true)
            default: throw HookFailure.status.error()
            }
        }
    }

    /// The status of what the program answers.
    private final class Answer: Sendable {
        private let kept = Mutex(200)

        var status: Int {
            get { kept.withLock { $0 } }
            set { kept.withLock { $0 = newValue } }
        }
    }

    private static func bench(_ answer: Answer) async throws -> (FactorBench, HookReceiver) {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply(status: answer.status) }
        let name = DialectName("form")
        let hooks = Hooks(blocking: [
            BlockingHook(
                name: "factor", moment: .factorAttempt, dialect: name, directory: "default", secrets: [],
                caller: receiver)
        ])
        hooks.forms.add(Form(), of: name)
        return (try await FactorBench(hooks: hooks), receiver)
    }

    private static func digits(_ proof: FactorProof) -> String {
        if case .code(let code, _, _) = proof { code } else { "" }
    }

    @Test(
        "R14.6 each answer is heard of, right or wrong, also in a protocol whose codes do not say which app they are of"
    )
    func hears() async throws {
        let (bench, receiver) = try await Self.bench(Answer())
        let owner = try await bench.owner()
        let count = receiver.received.count
        #expect(count == 1, "that of the first code")
        let call = bench.call()
        let wrong = owner.wrong(at: call)
        let proofs: [(FactorProof, Bool)] = [
            (wrong, false), (.app(Self.digits(wrong), named: nil), false), (owner.proof(at: call, drift: -1), true),
            (.app(owner.code(at: call), named: nil), true),
        ]
        for (proof, isRight) in proofs {
            let ticket = try await bench.ticket(at: call)
            let refusal = await bench.refusal { _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call) }
            #expect(refusal == (isRight ? nil : .factorCodeInvalid))
        }
        let heard = receiver.received.dropFirst(count).map(\.object)
        #expect(heard.compactMap { $0["valid"]?.boolValue } == proofs.map { $0.1 })
        #expect(heard.allSatisfy { $0["factor"]?.stringValue == owner.factor.id.rawValue && $0["kind"] == "totp" })
        #expect(heard.allSatisfy { $0["user"]?.stringValue == owner.user.id.rawValue })
        // What was shown before was not compared.
        let ticket = try await bench.ticket(at: call)
        let refusal = await bench.refusal {
            _ = try await AnswerFactor(bench.ports)(ticket, owner.proof(at: call), call: call)
        }
        #expect(refusal == .factorCodeUsed && receiver.received.count == count + proofs.count)
    }

    @Test(
        "R14.6 a no, and no answer, let nobody in with a right code, which is spent; wrong ones count all the same",
        arguments: [403, 500])
    func refuses(status: Int) async throws {
        let answer = Answer()
        let (bench, receiver) = try await Self.bench(answer)
        let owner = try await bench.owner()
        answer.status = status
        let call = bench.call()
        func show(_ proof: FactorProof) async throws -> AuthErrorCode? {
            let ticket = try await bench.ticket(at: call)
            return await bench.refusal { _ = try await AnswerFactor(bench.ports)(ticket, proof, call: call) }
        }
        let expected: AuthErrorCode = status == 403 ? .hookRefused : .hookFailed
        #expect(try await show(owner.proof(at: call)) == expected)
        // Only who says no in so many words signs everybody out.
        let sessions = try await bench.base.base.sessions(of: owner.user)
        #expect(sessions.allSatisfy { $0.revokedAt != nil } == (status == 403))
        answer.status = 200
        #expect(try await show(owner.proof(at: call)) == .factorCodeUsed)
        answer.status = status
        let wrong = Self.digits(owner.wrong(at: call))
        for _ in 0..<3 { #expect(try await show(.app(wrong, named: nil)) == expected) }
        let asked = receiver.received.count
        #expect(try await show(owner.proof(at: call, drift: 1)) == .factorLocked)
        #expect(receiver.received.count == asked, "nothing is compared under a lock")
    }
}
