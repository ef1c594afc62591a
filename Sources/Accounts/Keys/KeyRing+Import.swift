// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension KeyRing {
    /// Puts keys that an operator brings in the place of those that the Directory had for the same purposes: what is
    /// imported is the truth. Tokens that the other server signed go on working.
    ///
    /// Importing the same keys again changes nothing.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached.
    public func adopt(
        _ keys: ImportedKeys, into directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws {
        if let tokens = keys.tokens { try await adopt(tokens, .tokens, directory, now, actor) }
        if let apiKeys = keys.apiKeys { try await adopt(apiKeys, .apiKeys, directory, now, actor) }
    }

    private func adopt(
        _ keys: [ImportedKeys.Key], _ purpose: SigningKeyRecord.Purpose, _ directory: Directory, _ now: Instant,
        _ actor: AuditEvent.Actor
    ) async throws {
        let identifiers: [SigningKeyID] = keys.map { _ in random.identifier(at: now) }
        let auditID: AuditEventID = random.identifier(at: now)
        try await store.write { tx in
            let present = try tx.signingKeys(in: directory.id).filter { $0.purpose == purpose }
            let wanted = zip(keys, identifiers).map { $0.record($1, purpose, directory.id, now) }
            guard !Self.isSame(present, wanted) else { return }
            for record in present { _ = try tx.deleteSigningKey(record.id, in: directory.id) }
            for record in wanted { try tx.insert(record) }
            try tx.append(
                AuditEvent(
                    id: auditID, directoryID: directory.id, action: .keyChanged, actor: actor,
                    details: ["purpose": .string(purpose.rawValue), "imported": .integer(Int64(wanted.count))],
                    at: now))
        }
        invalidate()
    }

    private static func isSame(_ present: [SigningKeyRecord], _ wanted: [SigningKeyRecord]) -> Bool {
        func marks(_ records: [SigningKeyRecord]) -> Set<String> {
            Set(records.map { "\($0.state.rawValue) \($0.algorithm) \($0.privateJWK.reveal())" })
        }
        return present.count == wanted.count && marks(present) == marks(wanted)
    }
}

extension ImportedKeys.Key {
    /// The row's identifier is ours; the `kid` that tokens name is the key's own, and may be missing.
    fileprivate func record(
        _ id: SigningKeyID, _ purpose: SigningKeyRecord.Purpose, _ directory: DirectoryID, _ now: Instant
    ) -> SigningKeyRecord {
        // A key that only verifies is kept without its private part, where it has another.
        let kept = signs ? jwk : jwk.publicKey ?? jwk
        return SigningKeyRecord(
            id: id, directoryID: directory, purpose: purpose, algorithm: algorithm.rawValue,
            privateJWK: Secret(kept.secretObject.reveal().text), state: signs ? .active : .retiring, createdAt: now,
            activatedAt: signs ? now : nil)
    }
}
