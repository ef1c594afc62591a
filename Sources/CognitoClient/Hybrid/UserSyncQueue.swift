// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Synchronizations that failed for now: kept in the secure store over the app's end, and tried again ever more rarely
/// (H-8).
public actor UserSyncQueue {
    private let sync: UserSync
    private let store: any SecureStore
    private let clock: any ClientClock
    private let random: any RandomSource
    private let record: @Sendable (HybridEvent) -> Void
    private let renew: @Sendable (_ subject: String) async -> ProviderIdentity?

    /// - Parameter renew: a new token of the provider's for that user of its, where there is one to be had unseen.
    init(
        _ sync: UserSync, store: any SecureStore, clock: any ClientClock, random: any RandomSource,
        record: @escaping @Sendable (HybridEvent) -> Void,
        renew: @escaping @Sendable (_ subject: String) async -> ProviderIdentity?
    ) {
        self.sync = sync
        self.store = store
        self.clock = clock
        self.random = random
        self.record = record
        self.renew = renew
    }

    /// Five seconds, doubled each time up to an hour, of which half is by chance: devices that lost a server together
    /// do not come back together.
    static func delay(after attempts: Int, random: any RandomSource) -> TimeSpan {
        let full = min(TimeSpan.seconds(5 << Int64(min(max(attempts, 1) - 1, 16))), .hours(1)).microseconds
        let chance = random.bytes(4).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return TimeSpan(microseconds: full / 2 + full / 2 * chance / (1 << 32))
    }

    /// Synchronizes somebody now, or later if it can't be done now and they are known.
    ///
    /// - Parameter subject: the provider's name for them.
    /// - Returns: the user's identifier in the pool, and the rest of them where the answer came now.
    /// - Throws: a definite refusal, and any failure for somebody of whom this device does not know who they are.
    func synchronize(
        _ identity: ProviderIdentity, subject: String
    ) async throws(AuthError) -> (user: String, synced: SyncedUser?) {
        let failure: AuthError
        do throws(AuthError) {
            let synced = try await sync(identity)
            if let user = synced.user {
                try await change { memory in
                    memory.forget(subject)
                    memory.learn(subject, is: user.subject)
                }
                return (user.subject, synced)
            }
            failure = AuthError(.unavailable, reason: "the synchronization waits at the server")
        } catch  where Self.isTransient(error) {
            failure = error
        }
        let entry = SyncMemory.Waiting(
            provider: identity.provider, subject: subject, idToken: identity.idToken.reveal(),
            nonce: identity.nonce?.reveal(), attempts: 1,
            notBefore: clock.now + max(Self.delay(after: 1, random: random), failure.retryAfter ?? .zero))
        let known = try await change { memory in
            memory.wait(entry)
            return memory.user(of: subject)
        }
        record(.synchronizationQueued(failure.code))
        guard let known else { throw failure }
        return (known, nil)
    }

    /// Tries what is due.
    ///
    /// - Returns: how long until the next is; `nil` where none waits.
    /// - Throws: `store_unavailable`.
    @discardableResult
    public func flush() async throws(AuthError) -> TimeSpan? {
        let now = clock.now
        for entry in try await read().waiting where entry.notBefore <= now || entry.notBefore > now + .hours(2) {
            try await attempt(entry)
        }
        let next = try await read().waiting.map(\.notBefore).min()
        return next.map { max($0 - clock.now, .zero) }
    }

    /// Goes on until it is cancelled. One for an app.
    public func run() async {
        while !Task.isCancelled {
            let next = (try? await flush()) ?? nil
            do { try await clock.wait(max(min(next ?? .minutes(15), .minutes(15)), .seconds(1))) } catch { return }
        }
    }

    /// Takes out what waits for somebody who has signed out: no token of theirs stays behind. Who they are stays known.
    func forget(_ subject: String) async {
        _ = try? await change { $0.forget(subject) }
    }

    /// How many wait.
    public func count() async throws(AuthError) -> Int { try await read().waiting.count }

    private func attempt(_ entry: SyncMemory.Waiting) async throws(AuthError) {
        let identity = ProviderIdentity(
            provider: entry.provider, idToken: Secret(entry.idToken), nonce: entry.nonce.map { Secret($0) })
        var (outcome, later) = (await outcome(of: identity), entry)
        // A provider's token lives an hour, and who waits for longer than that is signed in still.
        if case .failure(let error) = outcome, error.code == .identityTokenInvalid,
            let newer = await renew(entry.subject)
        {
            outcome = await self.outcome(of: newer)
            (later.idToken, later.nonce) = (newer.idToken.reveal(), newer.nonce?.reveal())
        }
        switch outcome {
        case .success(let synced):
            try await change { memory in
                memory.waiting.removeAll { $0 == entry }
                if let user = synced.user { memory.learn(entry.subject, is: user.subject) }
            }
            record(.synchronized(attempts: entry.attempts + 1))
        case .failure(let error) where Self.isTransient(error):
            later.attempts += 1
            later.notBefore =
                clock.now + max(Self.delay(after: later.attempts, random: random), error.retryAfter ?? .zero)
            try await change { [later] memory in
                // Unless somebody signed in anew meanwhile, whose word is newer.
                guard let place = memory.waiting.firstIndex(of: entry) else { return }
                memory.waiting[place] = later
            }
        case .failure(let error):
            try await change { memory in memory.waiting.removeAll { $0 == entry } }
            record(.synchronizationGivenUp(error.code))
        }
    }

    private func outcome(of identity: ProviderIdentity) async -> Result<SyncedUser, AuthError> {
        do throws(AuthError) { return .success(try await sync(identity)) } catch { return .failure(error) }
    }

    static func isTransient(_ error: AuthError) -> Bool {
        [
            .network, .unavailable, .rateLimited, .overloaded, .internalFailure, .identityProviderUnavailable,
            .untrustedServer,
        ].contains(error.code)
    }

    private func read() async throws(AuthError) -> SyncMemory {
        do {
            // What can't be read any more is no loss: the next sign-in says it again.
            return try await store.read(SyncMemory.key).flatMap(SyncMemory.init) ?? SyncMemory()
        } catch {
            if case .corrupted = error { return SyncMemory() }
            throw AuthError(.storeUnavailable, reason: "\(error)")
        }
    }

    @discardableResult
    private func change<Outcome: Sendable>(
        _ body: @Sendable @escaping (inout SyncMemory) -> Outcome
    ) async throws(AuthError) -> Outcome {
        let store = store
        do {
            // Another process may do the same, such as an extension of the app.
            return try await store.exclusively(SyncMemory.key) {
                var memory: SyncMemory
                do throws(SecureStoreError) {
                    memory = try await store.read(SyncMemory.key).flatMap(SyncMemory.init) ?? SyncMemory()
                } catch {
                    guard case .corrupted = error else { throw error }
                    memory = SyncMemory()
                }
                let outcome = body(&memory)
                try await store.write(memory.bytes, for: SyncMemory.key)
                return outcome
            }
        } catch {
            throw AuthError(.storeUnavailable, reason: "\(error)")
        }
    }
}
