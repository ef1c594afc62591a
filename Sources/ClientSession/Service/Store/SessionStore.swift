// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The session in a ``SecureStore``.
struct SessionStore: Sendable {
    let store: any SecureStore
    /// Where a session goes that this version can't read. While it is there, and no session, one was damaged.
    static let quarantine = SecureStoreKey(rawValue: "auth.session.quarantined")

    /// What is there. A session whose user has begun to leave is not: whoever does so may have died in the midst of it.
    func read() async -> StoreContents {
        let contents = await look()
        guard case .session(let kept, _) = contents else { return contents }
        return .session(kept, await standing(of: kept.user.subject))
    }

    /// The same, without when it was confirmed: a file less that whoever waits for a refresh waits for.
    func look() async -> StoreContents {
        let contents = await found()
        switch contents {
        case .session(let kept, _):
            guard let leaving = await leaving() else { return contents }
            return leaving.family.map { $0 == kept.family } ?? true ? .left : contents
        case .nothing:
            // A store says of a damage once; after that nothing is there, which is no sign-out. A sign-out takes the
            // note away, and its own stays longer.
            guard (try? await store.read(Self.quarantine)) != nil else { return contents }
            return await leaving() == nil ? .corrupted : contents
        case .left, .step, .corrupted, .unreadable: return contents
        }
    }

    private func found() async -> StoreContents {
        let bytes: [UInt8]?
        do throws(SecureStoreError) { bytes = try await store.read(.session) } catch {
            guard case .corrupted = error else { return .unreadable(error) }
            await noteDamage()
            return .corrupted
        }
        guard let bytes else { return .nothing }
        guard let kept = SessionCodec.decode(bytes) else {
            await putAside(bytes)
            return .corrupted
        }
        return .session(kept, nil)
    }

    /// The store has put it aside by itself, as a file or not at all.
    private func noteDamage() async {
        do throws(SecureStoreError) {
            guard try await store.read(Self.quarantine) == nil else { return }
        } catch {
            guard case .corrupted = error else { return }
        }
        try? await store.write([], for: Self.quarantine)
    }

    private func putAside(_ bytes: [UInt8]) async {
        do throws(SecureStoreError) {
            try await store.write(bytes, for: Self.quarantine)
            // A sign-in may have come in between.
            if try await store.read(.session) == bytes { try await store.remove(.session) }
        } catch {
            // It stays where it is, and is overwritten by the next sign-in.
        }
    }

    /// When that user's session was last confirmed.
    func standing(of subject: String) async -> OfflineStanding? {
        guard let bytes = try? await store.read(.lastValidated),
            let standing = try? OfflineStanding(decoding: bytes), Subject.isSame(standing.subject, subject)
        else { return nil }
        return standing
    }

    func write(_ kept: KeptSession) async throws(SecureStoreError) {
        try await store.write(SessionCodec.encode(kept), for: .session)
    }

    /// Without it somebody is blocked sooner when offline, and no later. The record of another user stays whose session
    /// has come into the store meanwhile, or they would be blocked by it.
    func keep(_ standing: OfflineStanding) async {
        guard let bytes = try? standing.encoded(), await !isAnothers(than: standing.subject) else { return }
        try? await store.write(bytes, for: .lastValidated)
    }

    private func isAnothers(than subject: String) async -> Bool {
        guard let kept = try? await store.read(.lastValidated), let noted = try? OfflineStanding(decoding: kept),
            !Subject.isSame(noted.subject, subject), case .session(let session, _) = await found()
        else { return false }
        return !Subject.isSame(session.user.subject, subject)
    }

    /// Removes the session of that family, or whichever there is, and what belongs to it.
    ///
    /// - Parameter ended: families that are over as well.
    /// - Returns: what was removed, where `family` is `nil`.
    func erase(family: String?, orOneOf ended: [String] = []) async throws(SecureStoreError) -> KeptSession? {
        let contents = await found()
        var removed: KeptSession?
        switch contents {
        case .session(let kept, _):
            if let family, kept.family != family, !ended.contains(kept.family) { return nil }
            try await store.remove(.session)
            if family == nil { removed = kept }
        case .nothing, .left, .step, .corrupted:
            // What a store has put aside of it goes too (G-13.3).
            if (try? await store.read(Self.quarantine)) != nil { try await store.remove(.session) }
        // It can't be read, and may be removed all the same.
        case .unreadable: try await store.remove(.session)
        }
        try await store.remove(.lastValidated)
        // What was put aside may have been readable to a later version of the app.
        try await store.remove(Self.quarantine)
        try await forgetStep()
        return removed
    }

    // MARK: A sign-out under way

    func begin(_ leaving: Leaving) async throws(SecureStoreError) {
        try await store.write(leaving.encoded, for: .leaving)
    }

    /// Names whose session is over in a note of whichever there is: one that is written next is not meant by it, not
    /// even where the process dies before the note is gone.
    func name(_ leaving: Leaving) async throws(SecureStoreError) -> Leaving {
        guard leaving.family == nil else { return leaving }
        var named = leaving
        named.family = if case .session(let kept, _) = await found() { kept.family } else { "" }
        try await begin(named)
        return named
    }

    func leaving() async -> Leaving? {
        guard let bytes = try? await store.read(.leaving) else { return nil }
        return Leaving(decoding: bytes)
    }

    /// Removes the session that is left.
    ///
    /// - Returns: `false` where another one has come since.
    func leave(_ leaving: Leaving) async throws(SecureStoreError) -> Bool {
        if let family = leaving.family, case .session(let kept, _) = await found(), kept.family != family {
            return false
        }
        _ = try await erase(family: leaving.family)
        return true
    }

    func endLeaving() async throws(SecureStoreError) {
        try await store.remove(.leaving)
    }
}
