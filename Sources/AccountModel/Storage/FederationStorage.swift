// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol FederationReading {
    /// In order of their names.
    func identityProviders(in directory: DirectoryID) throws -> [IdentityProvider]
    func identityProvider(named name: String, in directory: DirectoryID) throws -> IdentityProvider?
    /// Whether any user is known by an identity of the provider.
    func hasIdentities(of provider: String, in directory: DirectoryID) throws -> Bool
    /// Also one that has expired or was answered. By the state alone: it names its Directory.
    func pendingFederation(stateHash: [UInt8]) throws -> PendingFederation?
    func upstreamGrant(of identity: IdentityID, in directory: DirectoryID) throws -> UpstreamGrant?
    /// Those of every Directory that are to be asked about, the longest due first.
    func upstreamGrants(dueAt now: Instant, limit: Int) throws -> [UpstreamGrant]
    /// When what the key stands for last ended; `nil` where it never has, or nobody remembers.
    ///
    /// - Parameter key: a keyed hash of whose it was: see ``FederationWriting/noteIdentityEnd(_:in:at:)``.
    func identityEnd(_ key: [UInt8], in directory: DirectoryID) throws -> Instant?
}

public protocol FederationWriting: FederationReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `identity_provider.name`.
    func insert(_ provider: IdentityProvider) throws
    /// Writes everything but name and kind, and raises the version.
    /// - Throws: ``StoreConflict/stale(_:)`` where the version is no longer this one.
    func update(_ provider: IdentityProvider) throws
    /// Whether there was one. Identities of it stay: they are the users'.
    func deleteIdentityProvider(named name: String, in directory: DirectoryID) throws -> Bool
    func insert(_ pending: PendingFederation) throws
    /// Whether it was still to be answered: of two callers at once, one gets `true`.
    func use(_ id: PendingFederationID, at now: Instant) throws -> Bool
    /// Writes the grant in place of the one that was kept of the identity before.
    func put(_ grant: UpstreamGrant) throws
    /// Whether there was one.
    func deleteUpstreamGrant(of identity: IdentityID, in directory: DirectoryID) throws -> Bool
    /// Notes that an identity has ended, so that what was said of it before brings nothing back: in place of an earlier
    /// note.
    func noteIdentityEnd(_ key: [UInt8], in directory: DirectoryID, at now: Instant) throws
    /// Deletes the notes of ends before `instant`.
    func purgeIdentityEnds(before instant: Instant, limit: Int) throws -> Int
    /// Deletes what browsers were sent away with that expired before `instant`.
    func purgeFederations(expiredBefore instant: Instant, limit: Int) throws -> Int
}
