// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The refresh token of a provider, over the app's end and for all of its processes.
struct ProviderMemory: Sendable {
    private let key: SecureStoreKey
    /// Nothing is kept under it: its lock is held while a token is renewed.
    private let renewal: SecureStoreKey
    private let store: any SecureStore

    init(of provider: String, in store: any SecureStore) {
        key = SecureStoreKey(rawValue: "auth.provider." + provider)
        renewal = SecureStoreKey(rawValue: "auth.provider." + provider + ".renewal")
        self.store = store
    }

    func token() async throws(AuthError) -> Secret<String>? {
        do {
            return try await store.read(key).flatMap { String(strictUTF8: $0) }.map { Secret($0) }
        } catch {
            // What can't be read any more is asked for anew, at the next sign-in.
            if case .corrupted = error { return nil }
            throw AuthError(.storeUnavailable, reason: "\(error)")
        }
    }

    /// - Parameter token: `nil` where the provider gave none: whoever was remembered before is not who signed in now.
    func keep(_ token: Secret<String>?) async throws(AuthError) {
        let (store, key) = (store, key)
        try await exclusively {
            if let token {
                try await store.write(Array(token.reveal().utf8), for: key)
            } else {
                try await store.remove(key)
            }
        }
    }

    /// Unless another sign-in, or a sign-out, has come in between.
    ///
    /// - Parameter new: `nil` forgets it.
    func replace(_ old: Secret<String>, by new: Secret<String>?) async throws(AuthError) {
        let (store, key) = (store, key)
        try await exclusively {
            guard try await store.read(key) == Array(old.reveal().utf8) else { return }
            if let new {
                try await store.write(Array(new.reveal().utf8), for: key)
            } else {
                try await store.remove(key)
            }
        }
    }

    /// Also where the lock can't be had.
    func forget() async {
        let (store, key) = (store, key)
        do { try await exclusively { try await store.remove(key) } } catch { try? await store.remove(key) }
    }

    /// Runs `body` while no task and no process renews what is kept: a provider that gives each refresh token once
    /// would take the second for a thief's. The lock is another than that of the token itself, so that a sign-out does
    /// not wait for a network.
    func renewing<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let outcome: Result<Value, AuthError>
        do {
            outcome = try await store.exclusively(renewal) { () async -> Result<Value, AuthError> in
                do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
            }
        } catch { throw AuthError(of: error) }
        return try outcome.get()
    }

    private func exclusively(_ body: @Sendable @escaping () async throws -> Void) async throws(AuthError) {
        do { try await store.exclusively(key, body) } catch { throw AuthError(.storeUnavailable, reason: "\(error)") }
    }
}
