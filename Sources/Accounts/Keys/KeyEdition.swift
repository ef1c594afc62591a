// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// The verification keys of one Directory and purpose as they are at one time.
///
/// Whoever has made something of an edition's keys keeps it for as long as ``KeyRing/isCurrent(_:of:at:)`` says, which
/// is cheap to ask with each request.
public struct KeyEdition: Sendable {
    private let keys: DirectoryKeys?
    private let purpose: SigningKeyRecord.Purpose
    private let from: Instant
    /// When the next of the keys retires.
    private let until: Instant?

    init(_ keys: DirectoryKeys?, _ purpose: SigningKeyRecord.Purpose, at now: Instant) {
        self.keys = keys
        self.purpose = purpose
        from = now
        until = keys?.nextRetirement(purpose, after: now)
    }

    /// Every key that a valid signature may have been made with: standby, active, and retiring until its date.
    public var verificationKeys: [VerificationKey] { keys?.verificationKeys(purpose, at: from) ?? [] }

    /// Whether this one, asked for earlier, has the same keys as `newer`, asked for at `now`.
    public func isCurrent(_ newer: KeyEdition, at now: Instant) -> Bool {
        purpose == newer.purpose && isCurrent(newer.keys, at: now)
    }

    /// Whether these are the keys of this purpose still, when the Directory has `present`.
    fileprivate func isCurrent(_ present: DirectoryKeys?, at now: Instant) -> Bool {
        keys?.number == present?.number && from <= now && until.map { now < $0 } ?? true
    }
}

extension KeyRing {
    /// The keys that tokens of this Directory and purpose are judged by now.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and no keys are known yet.
    public func edition(
        of directory: Directory, purpose: SigningKeyRecord.Purpose, at now: Instant
    ) async throws -> KeyEdition {
        KeyEdition(try await keys(of: directory.id, judging: purpose, at: now), purpose, at: now)
    }

    /// Whether an edition of this Directory's keys, asked for earlier, has those that the Directory has now.
    ///
    /// - Throws: as ``edition(of:purpose:at:)``.
    public func isCurrent(_ edition: KeyEdition, of directory: Directory, at now: Instant) async throws -> Bool {
        edition.isCurrent(try await keys(of: directory.id, at: now), at: now)
    }
}
