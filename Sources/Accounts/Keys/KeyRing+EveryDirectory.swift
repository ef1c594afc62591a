// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension KeyRing {
    /// How often signing keys were changed, whosesoever they are and whoever did it: what was made of them is good for
    /// as long as it says the same.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached.
    public func changeCount() async throws -> Int64 { try await store.answer(ChangeQuestion())[.signingKeys] ?? 0 }

    /// The live keys of every Directory for one purpose, in the order of their names: for a place that publishes them
    /// whosesoever they are. With their private parts, since what is published may have to be signed with them.
    ///
    /// Read from the store at each call.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached.
    public func liveKeys(_ purpose: SigningKeyRecord.Purpose, at now: Instant) async throws -> [SigningKeyRecord] {
        let records = try await store.read { tx in
            try tx.directories().flatMap { try tx.signingKeys(in: $0.id) }
        }
        return records.filter { $0.purpose == purpose && ($0.retiresAt.map { now < $0 } ?? true) }
            .sorted { $0.id < $1.id }
    }
}
