// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import TestSupport

/// A session service with everything around it scripted.
struct ServiceBench {
    let clock: ManualClock
    let backend: ScriptedBackend
    let store: any SecureStore
    let log = Log()
    let service: SessionService

    init(
        clock: ManualClock = ManualClock(), backend: ScriptedBackend = ScriptedBackend(),
        store: any SecureStore = MemoryStore(), problems: @escaping @Sendable (SessionProblem) -> Void = { _ in }
    ) {
        (self.clock, self.backend, self.store) = (clock, backend, store)
        service = SessionService(
            backend: backend, store: store, clock: clock, companions: [log], providers: [log], report: problems)
    }

    /// Another process of the same app, on the same store, at the same service.
    func another() -> ServiceBench { ServiceBench(clock: clock, backend: backend, store: store) }

    @discardableResult
    func signIn() async throws -> AuthState { try await service.signIn(with: .anonymous) }

    /// The first state from now on that fits.
    func until(_ fits: @escaping @Sendable (AuthState) -> Bool) async throws -> AuthState? {
        let (states, found) = (service.states(), Guarded<AuthState?>(nil))
        let listener = Task {
            for await state in states where fits(state) {
                found.withLock { $0 = state }
                return
            }
        }
        defer { listener.cancel() }
        try await eventually("a state fits") { found.value != nil }
        return found.value
    }
}

/// What happened around a session, in order.
final class Log: SessionCompanion, NativeIdentityProvider {
    private let lines = Guarded<[String]>([])
    let provider = "google"

    var all: [String] { lines.value }
    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Whose local data it was told of, in order.
    let subjects = Guarded<[String?]>([])
    func sessionEnded(_ options: SignOutOptions, of subject: String?) async {
        subjects.withLock { $0.append(subject) }
        add(options.keepsLocalData ? "kept" : "cleared")
    }
    func sessionReady(_ user: SessionUser) async { add("ready \(user.subject)") }
    func signIn(nonce: Secret<String>) async throws(AuthError) -> ProviderIdentity { throw AuthError(.cancelled) }
    func signOut() async { add("provider") }
}

/// A store that notes what is done with it, and fails as told.
actor FaultyStore: SecureStore {
    private let memory = MemoryStore()
    private let log: Log?
    private var fault: SecureStoreError?
    /// How often the session was looked for, and how often before it was last written.
    private(set) var looks = 0
    private(set) var looksBeforeWriting = 0

    init(log: Log? = nil) { self.log = log }

    func fail(with fault: SecureStoreError?) { self.fault = fault }

    private func check() throws(SecureStoreError) { if let fault { throw fault } }

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? {
        try check()
        if key == .session { looks += 1 }
        return try await memory.read(key)
    }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        try check()
        if key == .session {
            log?.add("written")
            looksBeforeWriting = looks
        }
        try await memory.write(value, for: key)
    }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
        try check()
        if key == .session { log?.add("erased") }
        try await memory.remove(key)
    }
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await memory.exclusively(key, body) }
}

/// As a provider's page does that is open until its task is cancelled: the error that is thrown then.
func pageIsClosed() async -> AuthError {
    do {
        try await eventually("the page is closed") { Task.isCancelled }
        return AuthError(.cancelled)
    } catch {
        return AuthError(.internalFailure, reason: "\(error)")
    }
}

extension AuthState {
    var name: String {
        switch self {
        case .restoring: "restoring"
        case .signedOut(let reason): "signedOut(\(reason.rawValue))"
        case .signedIn(let user): "signedIn(\(user.subject))"
        case .refreshing(let user): "refreshing(\(user.subject))"
        case .offline(let access, _): "offline(\(access.rawValue))"
        case .blocked: "blocked"
        case .storeLocked: "storeLocked"
        case .awaiting: "awaiting"
        }
    }
}
