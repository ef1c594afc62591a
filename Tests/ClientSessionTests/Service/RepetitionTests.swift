// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

struct RepetitionTests {
    static let passingErrors = [
        AuthError(.network), AuthError(.unavailable), AuthError(.overloaded),
        AuthError(.rateLimited, retryAfter: .seconds(1)),
    ]
    /// Definite, or told for longer than anybody waits, or perhaps a count of attempts.
    static let lastingErrors = [
        AuthError(.rateLimited, retryAfter: .minutes(1)), AuthError(.rateLimited), AuthError(.untrustedServer),
        AuthError(.unavailable, retryAfter: .seconds(3)),
    ]

    @Test(
        "R13.1 Y-SC2 H-13 A refresh that fails once is asked for once more, and nobody sees it",
        arguments: passingErrors)
    func refresh(_ error: AuthError) async throws {
        let bench = ServiceBench()
        bench.backend.onRefresh { _, before throws(AuthError) in
            if before == 0 { throw error }
            return ScriptedBackend.grant(1)
        }
        try await bench.signIn()
        let seen = Guarded<[String]>([])
        let states = bench.service.states()
        let watching = Task { for await state in states { seen.withLock { $0.append(state.name) } } }
        bench.clock.advance(by: .hours(2))
        let token = try await bench.clock.passingPauses(of: .seconds(1)) { try await bench.service.accessToken() }
        #expect(token.reveal() == "access-1")
        #expect(bench.backend.refreshes == 2)
        watching.cancel()
        await watching.value
        #expect(Set(seen.value).isSubset(of: ["signedIn(ada)", "refreshing(ada)"]))
    }

    @Test("R13.1 Y-SC2 The pause before it is at least a fifth of a second, and as long as the service says")
    func pause() async throws {
        for (error, short) in [(AuthError(.network), 199), (AuthError(.rateLimited, retryAfter: .seconds(1)), 999)] {
            let bench = ServiceBench()
            bench.backend.onRefresh { _, _ throws(AuthError) in throw error }
            try await bench.signIn()
            bench.clock.advance(by: .hours(2))
            let caller = Task { try await bench.service.accessToken() }
            try await eventually("a refresh is asked for") { bench.backend.refreshes > 0 }
            // The refresh's deadline, and the pause.
            try await bench.clock.untilSleeping(2)
            bench.clock.advance(by: .milliseconds(Int64(short)))
            #expect(bench.backend.refreshes == 1)
            _ = await bench.clock.passingPauses { await #expect(throws: error) { try await caller.value } }
            #expect(bench.backend.refreshes == 2)
        }
    }

    @Test("R13.1 F10 What would be no better a moment later is told at once", arguments: lastingErrors)
    func lasting(_ error: AuthError) async throws {
        let bench = ServiceBench()
        bench.backend.onRefresh { _, _ throws(AuthError) in throw error }
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        await #expect(throws: error) { try await bench.service.accessToken() }
        #expect(bench.backend.refreshes == 1)
    }

    @Test("R13.1 H-13 A sign-in by password that nobody answers is asked for once more; what is good once never is")
    func signIn() async throws {
        let bench = ServiceBench()
        let asked = Guarded(0)
        bench.backend.onSignIn { _ throws(AuthError) in
            let isFirst = asked.withLock { asked in
                asked += 1
                return asked == 1
            }
            if isFirst { throw AuthError(.network) }
            return .session(ScriptedBackend.grant(0, user: SessionUser(subject: "ada")))
        }
        let password = SignInProof.password(identifier: "ada", password: Secret("password"))
        let state = try await bench.clock.passingPauses { try await bench.service.signIn(with: password) }
        #expect(state.name == "signedIn(ada)" && asked.value == 2)
        for proof in [
            SignInProof.anonymous, .code(identifier: "ada", code: Secret("123456")),
            .link(tokenHash: Secret("hash"), kind: "magiclink"), .callback(url: Secret("app://callback?code=1")),
        ] {
            asked.withLock { $0 = 0 }
            await #expect(throws: AuthError(.network)) { try await bench.service.signIn(with: proof) }
            #expect(asked.value == 1)
        }
    }

    @Test("R13.1 G-1.3 A wrong password is not tried twice")
    func wrongPassword() async throws {
        let bench = ServiceBench()
        bench.backend.onSignIn { _ throws(AuthError) in throw AuthError(.invalidCredentials) }
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await bench.service.signIn(with: .password(identifier: "ada", password: Secret("wrong")))
        }
        #expect(bench.backend.calls == [.signIn])
    }

    @Test("R13.1 F8 H-13 A store whose lock can't be had once makes no refresh fail")
    func lock() async throws {
        let bench = ServiceBench(store: OnceLockedStore())
        try await bench.signIn()
        bench.clock.advance(by: .hours(2))
        let token = try await bench.clock.passingPauses { try await bench.service.accessToken() }
        #expect(token.reveal() == "access-1")
    }

    @Test("R13.1 Y-FR10 Whoever asks for a token that lives is not suspended")
    func unsuspended() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        #expect(try await Caller().jobs(for: 1000, of: bench.service) == 0)
    }
}

/// A store whose lock can't be had the first time.
private struct OnceLockedStore: SecureStore {
    private let memory = MemoryStore()
    private let isLocked = Guarded(true)

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await memory.read(key) }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        try await memory.write(value, for: key)
    }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { try await memory.remove(key) }
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let wasLocked = isLocked.withLock { isLocked in
            defer { isLocked = false }
            return isLocked
        }
        if wasLocked { throw SecureStoreError.locked }
        return try await memory.exclusively(key, body)
    }
}

/// An actor whose executor counts what comes onto it: each suspension comes back as one more job.
private actor Caller {
    private final class Counting: SerialExecutor {
        let jobs = Guarded(0)

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.withLock { $0 += 1 }
            let job = UnownedJob(job)
            let executor = asUnownedSerialExecutor()
            Task.detached { job.runSynchronously(on: executor) }
        }
    }

    private let executor = Counting()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// How often this actor was suspended while it asked.
    func jobs(for calls: Int, of service: any AuthenticationService) async throws -> Int {
        let before = executor.jobs.value
        for _ in 0..<calls { _ = try await service.accessToken() }
        return executor.jobs.value - before
    }
}
