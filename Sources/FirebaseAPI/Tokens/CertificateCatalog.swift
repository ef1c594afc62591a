// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import Synchronization

/// The public keys of every Directory's ID tokens, or of its session cookies, in the two forms that the platform publishes. Its endpoints are not
/// of one project, so neither are these: a verifier picks a key by its `kid` alone, and then asks for the issuer.
final class CertificateCatalog: Sendable {
    /// What is published at one time.
    struct Edition: Sendable {
        var readAt: Instant
        /// `kid` to PEM.
        var certificates: JSONObject
        var keys: [JWK]
    }

    /// How long another process's rotation may stay unnoticed.
    static let refreshInterval = KeyRing.refreshInterval

    private struct Published {
        var certificate: String
        var key: JWK
    }

    private struct State {
        var edition: Edition?
        /// By `kid`. A certificate follows from its key alone, and is signed once.
        var known: [String: Published] = [:]
    }

    private let ring: KeyRing
    let purpose: SigningKeyRecord.Purpose
    private let state = Mutex(State())

    init(_ ring: KeyRing, of purpose: SigningKeyRecord.Purpose = .compatibility) {
        self.ring = ring
        self.purpose = purpose
    }

    /// - Throws: ``AuthErrorCode/unavailable`` when the store can't be reached.
    func edition(at now: Instant) async throws -> Edition {
        let known = state.withLock { $0.edition }
        if let known, known.readAt <= now, now - known.readAt < Self.refreshInterval { return known }
        let records = try await ring.liveKeys(purpose, at: now)
        var edition = Edition(readAt: now, certificates: [:], keys: [])
        for record in records {
            guard let published = try published(record) else { continue }
            edition.keys.append(published.key)
            edition.certificates[record.id.rawValue] = .string(published.certificate)
        }
        state.withLock { state in
            state.edition = edition
            // The keys that are gone are gone for good.
            let live = Set(edition.certificates.names)
            state.known = state.known.filter { live.contains($0.key) }
        }
        return edition
    }

    /// `nil` for a key that has no public part. Two callers may sign the same certificate at once: the bytes are the same.
    private func published(_ record: SigningKeyRecord) throws -> Published? {
        if let known = state.withLock({ $0.known[record.id.rawValue] }) { return known }
        guard let key = try JWK(parsing: record.privateJWK.reveal().utf8).publicKey else { return nil }
        let published = Published(certificate: try KeyCertificate(record).pem, key: key)
        state.withLock { $0.known[record.id.rawValue] = published }
        return published
    }
}
