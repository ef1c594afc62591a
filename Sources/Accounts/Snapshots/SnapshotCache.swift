// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Values read from the store and kept for a short while, so that the hot path takes a lock and no query.
///
/// A value older than ``lifetime`` is read again by whoever asks next; everybody else is given the old one meanwhile,
/// so there is one load in flight per key. When the load fails the last good value stays. Another process (the command
/// line) is thus noticed within ``lifetime``. What the store does not have is not kept: the caller's input cannot fill
/// the cache.
final class SnapshotCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// How old a value may be.
    let lifetime: TimeSpan
    /// How long a failed load is not tried again.
    private let pause: TimeSpan = .seconds(1)
    private let load: @Sendable (Key) async throws -> Value?
    private let state = Mutex(State())

    private struct Entry {
        var value: Value
        /// Read again at this instant.
        var staleAt: Instant
        /// Guards against a clock that was set back.
        var loadedAt: Instant
        var isLoading = false
        /// Whether it was changed since.
        var isExpired = false
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Loads of keys that have no value yet: every caller waits for the same one.
        var first: [Key: Task<Value?, any Error>] = [:]
        /// Raised by each invalidation: a load that began before it must not be kept.
        var generation: UInt64 = 0
    }

    private enum Step {
        case have(Value)
        case reload(Value, generation: UInt64)
        case wait(Task<Value?, any Error>)
    }

    init(lifetime: TimeSpan, load: @escaping @Sendable (Key) async throws -> Value?) {
        self.lifetime = lifetime
        self.load = load
    }

    /// The value of `key`; `nil` when the store has none.
    ///
    /// - Throws: What loading throws, when there is no value to fall back on.
    func value(for key: Key, at now: Instant) async throws -> Value? {
        switch step(for: key, at: now) {
        case .have(let value): return value
        case .wait(let task): return try await task.value
        case .reload(let value, let generation):
            do {
                let fresh = try await load(key)
                keep(fresh, for: key, at: now, generation: generation)
                return fresh
            } catch {
                postpone(key, at: now, generation: generation)
                return value
            }
        }
    }

    /// Forgets everything: the next caller reads from the store.
    func invalidate() {
        state.withLock { state in
            state.generation &+= 1
            state.entries = [:]
            state.first = [:]
        }
    }

    /// Has everything read again by whoever asks next, and what is there used only until then, and while the store
    /// can't be reached: something was changed by another server.
    func expire() {
        state.withLock { state in
            state.generation &+= 1
            state.first = [:]
            for key in state.entries.keys {
                state.entries[key]?.isExpired = true
                state.entries[key]?.isLoading = false
            }
        }
    }

    private func step(for key: Key, at now: Instant) -> Step {
        state.withLock { state in
            if let entry = state.entries[key] {
                let isFresh = !entry.isExpired && now < entry.staleAt && entry.loadedAt - now < lifetime
                if isFresh || entry.isLoading { return .have(entry.value) }
                state.entries[key]?.isLoading = true
                return .reload(entry.value, generation: state.generation)
            }
            if let task = state.first[key] { return .wait(task) }
            let generation = state.generation
            // Owned by the cache, so that one caller's cancellation does not fail the others.
            let task = Task {
                do {
                    let value = try await load(key)
                    keep(value, for: key, at: now, generation: generation)
                    return value
                } catch {
                    forgetFirst(key, generation: generation)
                    throw error
                }
            }
            state.first[key] = task
            return .wait(task)
        }
    }

    private func keep(_ value: Value?, for key: Key, at now: Instant, generation: UInt64) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.first[key] = nil
            state.entries[key] = value.map { Entry(value: $0, staleAt: now + lifetime, loadedAt: now) }
        }
    }

    private func postpone(_ key: Key, at now: Instant, generation: UInt64) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.entries[key]?.isLoading = false
            state.entries[key]?.isExpired = false
            state.entries[key]?.staleAt = now + pause
            state.entries[key]?.loadedAt = now
        }
    }

    private func forgetFirst(_ key: Key, generation: UInt64) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.first[key] = nil
        }
    }
}
