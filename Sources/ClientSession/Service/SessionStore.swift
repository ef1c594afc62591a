// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The session in a ``SecureStore``.
struct SessionStore: Sendable {
    let store: any SecureStore
    /// Where a session goes that this version can't read.
    static let quarantine = SecureStoreKey(rawValue: "auth.session.quarantined")

    func read() async -> StoreContents {
        let bytes: [UInt8]?
        do throws(SecureStoreError) { bytes = try await store.read(.session) } catch {
            guard case .corrupted = error else { return .unreadable(error) }
            return .corrupted
        }
        guard let bytes else { return .nothing }
        guard let kept = SessionCodec.decode(bytes) else {
            await putAside(bytes)
            return .corrupted
        }
        return .session(kept, await standing(of: kept.user.subject))
    }

    private func putAside(_ bytes: [UInt8]) async {
        do throws(SecureStoreError) {
            try await store.write(bytes, for: Self.quarantine)
            try await store.remove(.session)
        } catch {
            // It stays where it is, and is overwritten by the next sign-in.
        }
    }

    private func standing(of subject: String) async -> OfflineStanding? {
        guard let bytes = try? await store.read(.lastValidated),
            let standing = try? OfflineStanding(decoding: bytes), standing.subject == subject
        else { return nil }
        return standing
    }

    func write(_ kept: KeptSession) async throws(SecureStoreError) {
        try await store.write(SessionCodec.encode(kept), for: .session)
    }

    /// Without it somebody is blocked sooner when offline, and no later.
    func keep(_ standing: OfflineStanding) async {
        guard let bytes = try? standing.encoded() else { return }
        try? await store.write(bytes, for: .lastValidated)
    }

    /// Removes the session of that family, or whichever there is.
    ///
    /// - Returns: what was removed, where `family` is `nil`.
    func erase(family: String?) async throws(SecureStoreError) -> KeptSession? {
        let contents = await read()
        switch contents {
        case .session(let kept, _):
            if let family, kept.family != family { return nil }
            try await store.remove(.session)
            try await store.remove(.lastValidated)
            return family == nil ? kept : nil
        case .nothing, .corrupted:
            try await store.remove(.lastValidated)
            return nil
        case .unreadable:
            // It can't be read, and may be removed all the same.
            try await store.remove(.session)
            try await store.remove(.lastValidated)
            return nil
        }
    }
}
