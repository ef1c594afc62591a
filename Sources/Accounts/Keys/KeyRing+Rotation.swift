// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension KeyRing {
    /// What a rotation did.
    public enum RotationOutcome: Sendable, Equatable {
        /// This key signs, from its `activatedAt` on (``SigningKeySummary``); the others stay published until
        /// `retiresAt` (`nil`: until removed).
        case rotated(to: SigningKeyID, from: [SigningKeyID], retiresAt: Instant?)
        /// Nothing signs differently yet: this key is published, and may take over at `readyAt`.
        case published(SigningKeyID, readyAt: Instant)
    }

    /// Replaces the key that signs for `purpose` with the one that stands by, and makes the next standby key.
    ///
    /// With an algorithm that the Directory does not sign with yet, its first key starts at once and becomes the
    /// default one.
    ///
    /// - Parameters:
    ///   - algorithm: `nil` takes that of the key activated last.
    ///   - immediately: for a key that may have leaked: does not wait until verifiers know the new one.
    /// - Throws: `AuthErrorCode.unsupported` for an algorithm no key can be made for, `.unavailable` without a store.
    @discardableResult
    public func rotate(
        _ directory: Directory, purpose: SigningKeyRecord.Purpose = .tokens, algorithm: JWSAlgorithm? = nil,
        immediately: Bool = false, at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws -> RotationOutcome {
        var wanted = algorithm
        if wanted == nil { wanted = try await signingKey(purpose, of: directory, at: now).algorithm }
        guard let wanted else { throw AuthError(.internalFailure) }
        // Made outside the transaction, which may run twice: an RSA key takes a tenth of a second.
        let fresh = try Self.generate(wanted, purpose, in: directory, random: random, at: now)
        let spare = try Self.generate(wanted, purpose, in: directory, random: random, at: now)
        let rotation = KeyRotation(
            purpose: purpose, algorithm: wanted.rawValue, tokenLifetime: Self.tokenLifetime(purpose, directory))
        let auditID: AuditEventID = random.identifier(at: now)
        let outcome = try await store.write { tx in
            let (changes, outcome) = rotation.rotate(
                try tx.signingKeys(in: directory.id), fresh: fresh, spare: spare, immediately: immediately, at: now)
            for change in changes {
                switch change {
                case .insert(let record): try tx.insert(record)
                case .update(let record): try tx.update(record)
                }
            }
            if !changes.isEmpty {
                let details: JSONObject = [
                    "purpose": .string(purpose.rawValue), "algorithm": .string(wanted.rawValue),
                    "outcome": .string(outcome.summary),
                ]
                try tx.append(
                    AuditEvent(
                        id: auditID, directoryID: directory.id, action: .keyChanged, actor: actor, details: details,
                        at: now))
            }
            return outcome
        }
        invalidate()
        return outcome
    }

    /// The keys as the store has them, newest first, without their private parts.
    public func list(_ directory: Directory) async throws -> [SigningKeySummary] {
        try await store.read { try $0.signingKeys(in: directory.id) }.map(SigningKeySummary.init)
    }

    /// Removes a key that does not sign: every token it signed is refused from now on (another process follows within
    /// ``refreshInterval``).
    ///
    /// - Throws: `AuthErrorCode.notFound`, or `.conflict` for the active key, which must be rotated away first.
    public func remove(
        _ id: SigningKeyID, of directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws {
        let auditID: AuditEventID = random.identifier(at: now)
        try await store.write { tx in
            guard let key = try tx.signingKeys(in: directory.id).first(where: { $0.id == id }) else {
                throw AuthError(.notFound, field: "key")
            }
            guard key.state != .active else {
                throw AuthError(.conflict, reason: "the key signs; rotate first", field: "key")
            }
            _ = try tx.deleteSigningKey(id, in: directory.id)
            try tx.append(
                AuditEvent(
                    id: auditID, directoryID: directory.id, action: .keyChanged, actor: actor,
                    details: ["removed": .string(id.rawValue)], at: now))
        }
        invalidate()
    }

    /// How long a token of this purpose lives at most; `nil` where it has no end. A client may have set its tokens up
    /// to a day.
    private static func tokenLifetime(_ purpose: SigningKeyRecord.Purpose, _ directory: Directory) -> TimeSpan? {
        let lifetime = TimeSpan.seconds(directory.settings.sessions.accessTokenLifetime)
        return switch purpose {
        case .tokens: lifetime
        case .compatibility: max(lifetime, .days(1))
        case .sessionCookies: .days(14)
        case .poolIdentities: .days(1)
        case .apiKeys: nil
        }
    }

    static func generate(
        _ algorithm: JWSAlgorithm, _ purpose: SigningKeyRecord.Purpose, in directory: Directory,
        random: any RandomSource, at now: Instant
    ) throws -> SigningKeyRecord {
        let id = random.uuid(at: now)
        let key: SigningKey
        do {
            key = try SigningKey.generate(algorithm, keyID: id, rsaSize: directory.settings.rsaKeyBits)
        } catch {
            throw AuthError(.unsupported, reason: "no key for \(algorithm.rawValue): \(error.code.rawValue)")
        }
        return SigningKeyRecord(
            id: SigningKeyID(id), directoryID: directory.id, purpose: purpose, algorithm: algorithm.rawValue,
            privateJWK: key.exported, state: .standby, createdAt: now)
    }
}

extension KeyRing.RotationOutcome {
    fileprivate var summary: String {
        switch self {
        case .rotated(let key, _, _): "rotated to \(key.rawValue)"
        case .published(let key, _): "published \(key.rawValue)"
        }
    }
}

/// A signing key without its secret part, for lists.
public struct SigningKeySummary: Sendable, Equatable {
    public let id: SigningKeyID
    public let purpose: SigningKeyRecord.Purpose
    public let algorithm: String
    public let state: SigningKeyRecord.State
    public let createdAt: Instant
    public let activatedAt: Instant?
    public let retiresAt: Instant?

    init(_ record: SigningKeyRecord) {
        id = record.id
        purpose = record.purpose
        algorithm = record.algorithm
        state = record.state
        createdAt = record.createdAt
        activatedAt = record.activatedAt
        retiresAt = record.retiresAt
    }
}
