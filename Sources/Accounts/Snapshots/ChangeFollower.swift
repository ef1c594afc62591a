// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// Has this server read again what another one has changed of that which it keeps copies of (ADR 0079).
///
/// It goes by the store's own counts, and does not believe whoever says that there is something to see: too many such
/// words cost a look each, and one that is lost is made up for by the next look.
public actor ChangeFollower {
    private let store: any AccountStoring
    private let expire: [StoreTopic: @Sendable () -> Void]
    private var seen: [StoreTopic: Int64]?

    init(store: any AccountStoring, expire: [StoreTopic: @Sendable () -> Void]) {
        self.store = store
        self.expire = expire
    }

    /// Looks once. Copies of a topic that was changed since the last look are read again by whoever asks for them next,
    /// and so is everything after the first.
    ///
    /// - Returns: whether anything was changed.
    /// - Throws: ``AuthErrorCode/unavailable`` when the store can't be reached: what is there goes on.
    @discardableResult
    public func look() async throws -> Bool {
        let counts = try await store.answer(ChangeQuestion())
        let changed = StoreTopic.allCases.filter { topic in seen.map { $0[topic] != counts[topic] } ?? true }
        for topic in changed { expire[topic]?() }
        seen = counts
        return !changed.isEmpty
    }
}
