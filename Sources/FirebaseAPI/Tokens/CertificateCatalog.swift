// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// The public keys of every Directory's ID tokens, or of its session cookies, in the two forms that the platform
/// publishes. Its endpoints are not of one project, so neither are these: a verifier picks a key by its `kid` alone,
/// and then asks for the issuer.
final class CertificateCatalog: Sendable {
    /// What is published at one time.
    struct Edition: Sendable {
        var readAt: Instant
        /// ``KeyRing/changeCount()`` before it was read.
        var changes: Int64
        /// `kid` to PEM.
        var certificates: JSONObject
        var keys: [JWK]
    }

    /// How long a key that has retired may stay in it.
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

    /// With every key that any process has made: whoever is given a set keeps it for hours, and must know the keys of
    /// the tokens that come to them meanwhile.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` when the store can't be reached and the one that is known is too old.
    func edition(at now: Instant) async throws -> Edition {
        let known = state.withLock { $0.edition }.flatMap { edition in
            edition.readAt <= now && now - edition.readAt < Self.refreshInterval ? edition : nil
        }
        let changes: Int64
        do {
            changes = try await ring.changeCount()
        } catch {
            guard let known else { throw error }
            return known
        }
        if let known, known.changes == changes { return known }
        let records = try await ring.liveKeys(purpose, at: now)
        var edition = Edition(readAt: now, changes: changes, certificates: [:], keys: [])
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

    /// `nil` for a key that has no public part. Two callers may sign the same certificate at once: the bytes are the
    /// same.
    private func published(_ record: SigningKeyRecord) throws -> Published? {
        if let known = state.withLock({ $0.known[record.id.rawValue] }) { return known }
        guard let key = try JWK(parsing: record.privateJWK.reveal().utf8).publicKey else { return nil }
        let published = Published(certificate: try KeyCertificate(record).pem, key: key)
        state.withLock { $0.known[record.id.rawValue] = published }
        return published
    }
}
