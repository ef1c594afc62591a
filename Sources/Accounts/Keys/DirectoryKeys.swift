// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import RSA

/// The keys of one Directory, parsed once from the store's rows and never changed.
final class DirectoryKeys: Sendable {
    private static let numbers = AtomicNumber()

    /// Another one for each reading that found other rows.
    let number = UInt64(truncatingIfNeeded: numbers.add(1))
    private let records: [SigningKeyRecord]

    private struct Signer: Sendable {
        var purpose: SigningKeyRecord.Purpose
        var key: SigningKey
        var activatedAt: Instant
        /// When it leaves, of a key that another one takes over from.
        var retiresAt: Instant?
        var isLeaving: Bool

        /// Whether it signs by its dates. One that takes over later than any rotation has it do was noted by a clock
        /// that has been set back since.
        func isDue(at now: Instant) -> Bool {
            !isLeaving && (activatedAt <= now || (activatedAt - KeyRotation.spread).liesAhead(of: now))
        }

        /// Whether it signs until the one that took over does.
        func staysOn(at now: Instant) -> Bool {
            isLeaving && activatedAt <= now && retiresAt.map { now < $0 } ?? true
        }
    }

    private struct Verifier: Sendable {
        var purpose: SigningKeyRecord.Purpose
        var key: VerificationKey
        /// What is published of it; `nil` for a shared secret and for API keys.
        var published: JWK?
        var retiresAt: Instant?

        func isLive(at now: Instant) -> Bool { retiresAt.map { now < $0 } ?? true }
    }

    /// The latest activated first.
    private let signers: [Signer]
    private let verifiers: [Verifier]

    /// - Throws: `JOSEError` when a row holds no key: the store was tampered with.
    init(_ records: [SigningKeyRecord]) throws {
        self.records = records
        var signers: [Signer] = []
        var verifiers: [Verifier] = []
        for record in records {
            let jwk = try JWK(parsing: record.privateJWK.reveal().utf8)
            if record.state == .active || record.state == .retiring && record.activatedAt != nil {
                let read = try SigningKey(jwk, algorithm: JWSAlgorithm(rawValue: record.algorithm))
                // One that libcrypto does not take signs more slowly, and as well.
                let key = (try? read.signingWithLibCrypto()) ?? read
                signers.append(
                    Signer(
                        purpose: record.purpose, key: key, activatedAt: record.activatedAt ?? record.createdAt,
                        retiresAt: record.retiresAt, isLeaving: record.state == .retiring))
            }
            let isPublished = record.purpose != .apiKeys && !jwk.isSymmetric
            verifiers.append(
                Verifier(
                    purpose: record.purpose, key: try VerificationKey(jwk),
                    published: isPublished ? jwk.publicKey : nil,
                    retiresAt: record.state == .retiring ? record.retiresAt : nil))
        }
        self.signers = signers.sorted { $0.activatedAt > $1.activatedAt }
        self.verifiers = verifiers
    }

    /// Whether these are the keys of `others`, so that nothing has to be parsed again.
    func areMade(of others: [SigningKeyRecord]) -> Bool {
        records.count == others.count
            && zip(records, others).allSatisfy { known, other in
                known.id == other.id && known.purpose == other.purpose && known.algorithm == other.algorithm
                    && known.state == other.state && known.createdAt == other.createdAt
                    && known.activatedAt == other.activatedAt && known.retiresAt == other.retiresAt
                    && known.privateJWK.reveal() == other.privateJWK.reveal()
            }
    }

    /// When the next key of the purpose that is live now is no longer.
    func nextRetirement(_ purpose: SigningKeyRecord.Purpose, after now: Instant) -> Instant? {
        var next: Instant?
        for verifier in verifiers where verifier.purpose == purpose {
            guard let date = verifier.retiresAt, now < date else { continue }
            next = min(next ?? date, date)
        }
        return next
    }

    /// The active key of the purpose; of those of several algorithms, the latest activated. One that takes over in a
    /// moment, when every server knows it, leaves signing to the one before it, and signs at once where there is no
    /// other.
    func signer(_ purpose: SigningKeyRecord.Purpose, _ algorithm: JWSAlgorithm?, at now: Instant) -> SigningKey? {
        func first(_ fits: (Signer) -> Bool) -> SigningKey? {
            signers.first {
                $0.purpose == purpose && (algorithm == nil || $0.key.algorithm == algorithm) && fits($0)
            }?.key
        }
        if let key = first({ $0.isDue(at: now) }) ?? first({ $0.staysOn(at: now) }) { return key }
        guard !signers.contains(where: { $0.purpose == purpose && $0.isDue(at: now) }) else { return nil }
        return first { !$0.isLeaving }
    }

    /// Whether there is any key of the purpose.
    func has(_ purpose: SigningKeyRecord.Purpose) -> Bool { verifiers.contains { $0.purpose == purpose } }

    func verificationKeys(_ purpose: SigningKeyRecord.Purpose, at now: Instant) -> [VerificationKey] {
        verifiers.filter { $0.purpose == purpose && $0.isLive(at: now) }.map(\.key)
    }

    func published(_ purpose: SigningKeyRecord.Purpose, at now: Instant) throws -> JWKSet {
        try JWKSet(verifiers.filter { $0.purpose == purpose && $0.isLive(at: now) }.compactMap(\.published))
    }
}
