// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension AccountLimits {
    /// Runs `body` as an attempt at what a client shows to prove itself.
    ///
    /// One caller is stopped at one client, and nobody else with it: a stranger must not be able to keep an app from its
    /// users. What all callers together guess at is a secret of 256 bits.
    ///
    /// - Parameters:
    ///   - read: what `body` is told, read in the transaction that looks whether there is room.
    /// - Throws: ``AuthErrorCode/rateLimited`` with the time to wait; what `body` throws.
    func guessing<Known: Sendable, Value>(
        at client: ClientID, call: CallContext, store: any AccountStoring,
        reading read: @escaping @Sendable (any StoreReading) throws -> Known, _ body: (Known) async throws -> Value
    ) async throws -> Value {
        guard let origin = call.origin else { return try await body(try await store.read(read)) }
        let name = "client secret"
        let key = keys.key(of: client, from: origin, call) {
            LedgerLimit.key(name, origin + " " + client.rawValue, call)
        }
        let limit = LedgerLimit(name, call.settings.limits.signInPerIdentifier, key: key, call)
        // What is under way weighs nothing: an app's own server asks for a hundred tokens at once.
        let (full, known) = try await store.read { (try limit.exhaustion(in: $0), try read($0)) }
        if let full { throw refusal(full, call: call, else: .rateLimited) }
        do {
            return try await body(known)
        } catch let error as AuthError where error.code == .clientSecretInvalid {
            if try await !store.write({ try limit.take(in: $0) }) {
                throw refusal(limit.full, call: call, else: .rateLimited)
            }
            throw error
        }
    }
}
