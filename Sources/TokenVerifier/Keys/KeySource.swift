// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Where the keys of one issuer come from. A verifier reads ``keys`` on its hot path, and calls ``request(_:)`` only
/// when they are cold or a token names a key that is not among them.
public protocol KeySource: Sendable {
    /// The keys as they are known now; `nil` when none were ever had, or when they are too old to be trusted.
    ///
    /// Never waits for a fetch.
    var keys: VerificationKeySet? { get }

    /// Says that a token could not be judged for want of a key.
    ///
    /// Returns when the attempt that this allowed (or joined) has ended, or at once when none is allowed now. Whether
    /// it helped is read from ``keys``.
    func request(_ need: KeyNeed) async

    /// Counts how often a key has been withdrawn or replaced: a token remembered under an older count is judged again.
    /// Read on the hot path, so it takes no lock.
    var generation: UInt64 { get }

    /// How long until another attempt is worth the caller's while: at least one second. `nil` when keys are there.
    var retryAfter: TimeSpan? { get }
}

/// Why a verifier asks a ``KeySource`` for keys.
public enum KeyNeed: Sendable, Hashable {
    /// There are no keys.
    case none
    /// There are keys, but none of the token's `kid`.
    case unknownKey
}

/// Finds the source of each location. One provider in a process: two verifiers of one issuer then share one set of keys
/// and one fetch.
public protocol KeyProviding: Sendable {
    /// The source of `location`: the same one each time.
    func source(for location: KeyLocation) -> any KeySource
}
