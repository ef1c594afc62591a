// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// What the store is asked for what people do most: a statement more is one for everybody, each time.
@Suite("Statements of sign-ins")
struct StatementCountTests {
    private let bench: PasskeyBench
    private let store: RecordingStore
    private let ports: AccountPorts

    init() async throws {
        bench = try await PasskeyBench()
        store = RecordingStore(bench.base.store)
        ports = bench.base.ports(over: store)
    }

    /// What is done to which table, in turn; of the tables that a query joins the first. Which key seals is asked
    /// before what is sealed is written.
    private func taken() -> [String] {
        store.taken().map { step in
            let words = step.sql.split { " \n(".contains($0) }.map(String.init)
            let isQuery = words.first == "SELECT"
            let place = isQuery ? words.firstIndex(of: "FROM").map { $0 + 1 } : words.first == "INSERT" ? 2 : 1
            return (isQuery ? "" : (words.first ?? "") + " ") + (place.map { words[$0] } ?? "")
        }
    }

    @Test(
        "G-9.4 a step-up looks at nothing twice, writes one row for the code and one for each thing else that it changes"
    )
    func stepUp() async throws {
        let owner = try await bench.factors.owner()
        let call = bench.open()
        let session = try await bench.factors.signedIn(at: call)
        let asked = try await ChallengeFactor(ports)(owner.factor.id, of: session, call: call)
        let subject = TokenSubject(
            user: owner.user.id, session: try #require(session.session).id, issuedAt: call.now)
        _ = taken()
        let raised = try await StepUp(ports)(
            .code(owner.code(at: call), of: owner.factor.id, challenge: asked.id), of: subject, call: call
        ) { _, _ in }
        #expect(raised.session.assurance == .aal2)
        #expect(
            taken() == [
                "users", "sessions", "counted_attempts", "factors", "factor_challenges", "UPDATE factors",
                "UPDATE sessions",
                // Whether one of theirs shows no factor, and is to end: none does.
                "sessions", "INSERT audit_events", "identities", "group_members",
            ])
        // A code that is no good is told by what it was for, which is looked at then.
        await #expect(throws: AuthError(.factorCodeUsed)) {
            _ = try await StepUp(ports)(owner.proof(at: call), of: subject, call: call) { _, _ in }
        }
        #expect(taken() == ["users", "sessions", "counted_attempts", "factors"])
    }

    @Test("G-9.4 who asks for a challenge writes of the factor when that was, and seals nothing anew")
    func challenge() async throws {
        let owner = try await bench.factors.owner()
        let call = bench.open()
        let session = try await bench.factors.signedIn(at: call)
        _ = taken()
        _ = try await ChallengeFactor(ports)(owner.factor.id, of: session, call: call)
        let steps = taken()
        #expect(!steps.contains("data_keys"))
        #expect(steps.count { $0 == "UPDATE factors" } == 1)
        let stored = try await bench.base.store.read { try $0.factor(owner.factor.id, in: owner.user.directoryID) }
        #expect(stored?.lastChallengedAt == call.now)
    }

    @Test(
        "G-9.2 a sign-in by a passkey looks at challenge and passkey once, and writes of its user when they signed in")
    func passkey() async throws {
        var owner = try await bench.owner()
        let call = bench.open()
        let question = try await PasskeySignIn(ports).begin(call: call)
        let answer = try owner.authenticator.get(question.options)
        _ = taken()
        let issued = try await PasskeySignIn(ports)(question.challenge.id, answer, call: call).session()
        #expect(issued.session.assurance == .aal2)
        #expect(
            taken() == [
                "factor_challenges", "factors", "UPDATE factor_challenges", "users", "UPDATE factors", "terms",
                "UPDATE users", "identities", "INSERT sessions", "INSERT audit_events", "group_members", "factors",
            ])
        // Once more with the same answer.
        await #expect(throws: AuthError(.factorChallengeNotFound)) {
            _ = try await PasskeySignIn(ports)(question.challenge.id, answer, call: call)
        }
        #expect(taken() == ["factor_challenges", "factors"])
    }

    @Test("R14.2 an answer that was judged by what has changed meanwhile is judged anew")
    func changedMeanwhile() async throws {
        var owner = try await bench.owner()
        owner.authenticator.count = 10
        let passkey = owner.passkey
        func answered(_ change: @escaping @Sendable (inout Factor) -> Void) async throws -> AuthErrorCode? {
            let question = try await PasskeySignIn(ports).begin(call: bench.open())
            let answer = try owner.authenticator.get(question.options)
            let changing = ChangingStore(bench.base.store) { tx in
                var current = try #require(try tx.factor(passkey.id, in: passkey.directoryID))
                change(&current)
                try tx.update(current)
            }
            return await bench.refusal {
                _ = try await PasskeySignIn(bench.base.ports(over: changing))(
                    question.challenge.id, answer, call: bench.open()
                ).session()
            }
        }
        #expect(try await answered { $0.counted(5) } == nil)
        #expect(try await bench.stored(passkey).webAuthn?.signatureCount == 11)
        #expect(try await answered { $0.counted(.max) } == .passkeyRefused)
        #expect(try await bench.reasons() == ["counterRegressed"])
        #expect(try await bench.stored(passkey).webAuthn?.signatureCount == .max)
        try await bench.base.store.write { tx in
            var current = try #require(try tx.factor(passkey.id, in: passkey.directoryID))
            current.counted(0)
            try tx.update(current)
        }
        #expect(try await answered { $0.isEnabled = false } == .passkeyRefused)
        #expect(try await Set(bench.reasons()) == ["counterRegressed", AuthErrorCode.passkeyRefused.rawValue])
        #expect(try await bench.stored(passkey).webAuthn?.signatureCount == 0)
    }

    @Test(
        "R11.2 a sign-in by password writes of its user when they signed in, and seals nothing anew; a refresh one row")
    func password() async throws {
        let user = try await bench.base.user("ben@example.com")
        let call = bench.open()
        _ = taken()
        let issued = try await PasswordSignIn(ports)(
            bench.base.email("ben@example.com"), password: Secret(PasswordBench.password), call: call
        ).session()
        let steps = taken()
        #expect(!steps.contains("data_keys"))
        #expect(steps.count { $0 == "UPDATE users" } == 1)
        let stored = try await bench.base.store.read { try $0.user(user.id, in: user.directoryID) }
        #expect(stored?.lastSignInAt == call.now && stored?.passwordHash == user.passwordHash)
        _ = try await RefreshSession(ports)(issued.refreshToken.reveal(), call: call)
        #expect(taken() == ["sessions", "users", "UPDATE sessions", "identities", "group_members", "factors"])
    }
}

extension Factor {
    /// Its credential, as often used.
    fileprivate mutating func counted(_ count: UInt32) {
        guard var credential = webAuthn else { return }
        credential.signatureCount = count
        self.credential = .webAuthn(credential)
    }
}

/// A store that somebody else changes right after it was read for the first time.
private final class ChangingStore: ForwardingStore {
    let base: any AccountStoring
    private let change: Mutex<(@Sendable (any StoreWriting) throws -> Void)?>

    init(_ base: any AccountStoring, _ change: @escaping @Sendable (any StoreWriting) throws -> Void) {
        self.base = base
        self.change = Mutex(change)
    }

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        let value = try await base.read(body)
        let due = change.withLock { change in
            defer { change = nil }
            return change
        }
        if let due { try await base.write { try due($0) } }
        return value
    }
}
