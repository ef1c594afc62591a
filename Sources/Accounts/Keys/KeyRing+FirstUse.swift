// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension KeyRing {
    /// Which keys of which Directory are being made.
    struct FirstKeys: Hashable {
        var directory: DirectoryID
        var purpose: SigningKeyRecord.Purpose
    }

    /// Makes the RS256 keys of ``SigningKeyRecord/Purpose/compatibility``, of
    /// ``SigningKeyRecord/Purpose/sessionCookies`` or of ``SigningKeyRecord/Purpose/poolIdentities``, where the
    /// Directory has none yet: one that signs, and the one that stands by. Most Directories never need them, and an RSA
    /// key takes a tenth of a second to make. Nothing is done for other purposes, whose keys a Directory is made with.
    ///
    /// Callers at once wait for the same keys, and of two processes one makes them.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached.
    public func ensureKeys(
        _ purpose: SigningKeyRecord.Purpose, of directory: Directory, at now: Instant
    ) async throws {
        guard Self.isMadeAtFirstUse(purpose),
            try await keys(of: directory.id, at: now)?.signer(purpose, nil, at: now) == nil
        else { return }
        let place = FirstKeys(directory: directory.id, purpose: purpose)
        let task = making.withLock { making in
            if let task = making[place] { return task }
            // Owned by the ring, so that one caller's cancellation does not fail the others.
            let task = Task {
                defer { self.making.withLock { $0[place] = nil } }
                try await self.makeFirstKeys(purpose, of: directory, at: now)
            }
            making[place] = task
            return task
        }
        try await task.value
    }

    static func isMadeAtFirstUse(_ purpose: SigningKeyRecord.Purpose) -> Bool {
        [.compatibility, .sessionCookies, .poolIdentities].contains(purpose)
    }

    /// The keys that tokens of a purpose are judged by. Where none of it are known yet the store is asked: another
    /// server may have made the first a moment ago, and have signed by it. (Whoever publishes has them made before, so
    /// no set without them is anywhere.)
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and no keys are known yet.
    func keys(
        of directory: DirectoryID, judging purpose: SigningKeyRecord.Purpose, at now: Instant
    ) async throws -> DirectoryKeys? {
        let known = try await keys(of: directory, at: now)
        guard Self.isMadeAtFirstUse(purpose), known?.has(purpose) != true,
            let records = try? await store.read({ try $0.signingKeys(in: directory) }),
            records.contains(where: { $0.purpose == purpose })
        else { return known }
        invalidate()
        return try await keys(of: directory, at: now)
    }

    private func makeFirstKeys(
        _ purpose: SigningKeyRecord.Purpose, of directory: Directory, at now: Instant
    ) async throws {
        var active = try Self.generate(.rs256, purpose, in: directory, random: random, at: now)
        active.state = .active
        active.activatedAt = now
        let standby = try Self.generate(.rs256, purpose, in: directory, random: random, at: now)
        let made = [active, standby]
        let event = AuditEvent(
            id: random.identifier(at: now), directoryID: directory.id, action: .keyChanged, actor: .unknown,
            details: ["purpose": .string(purpose.rawValue), "made": .string(active.id.rawValue)], at: now)
        try await store.write { tx in
            // Another process may have been faster.
            let present = try tx.signingKeys(in: directory.id)
            guard !present.contains(where: { $0.purpose == purpose && $0.state == .active }) else { return }
            for key in made { try tx.insert(key) }
            try tx.append(event)
        }
        invalidate()
    }
}
