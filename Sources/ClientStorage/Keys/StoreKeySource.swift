// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Where a store's key lasts: a file of its own, the desktop's secret service, Android's Keystore.
public protocol StoreKeySource: Sendable {
    /// The key, made at the first call of all: any number of processes that ask at once get the same.
    ///
    /// What can't be read now throws `locked` or `unavailable` and is never replaced by another key, which would make
    /// everything unreadable for good. Only a key that is known to be damaged is put aside, and then a new one is made.
    ///
    /// - Parameter fresh: whether a copy in memory is to be left alone: somebody else has a key that this one is not.
    func key(fresh: Bool) async throws(SecureStoreError) -> StoreKey

    /// The key that is in force, where no more than a look at files tells which it is. Asked on a thread that may wait
    /// for a disk: whoever reads or writes a value then waits for one thread and not for two.
    ///
    /// - Returns: `nil` leaves it to ``key(fresh:)``, as sources do that have no such files.
    func keyAtHand() throws(SecureStoreError) -> StoreKey?
}

extension StoreKeySource {
    /// None: ``key(fresh:)`` is asked each time.
    public func keyAtHand() throws(SecureStoreError) -> StoreKey? { nil }
}
