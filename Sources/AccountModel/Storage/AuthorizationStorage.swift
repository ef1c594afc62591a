// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol AuthorizationReading {
    /// Also an expired or completed one. By identifier alone: it names its Directory.
    func pendingAuthorization(_ id: PendingAuthorizationID) throws -> PendingAuthorization?
    func consent(of user: UserID, to client: ClientID, in directory: DirectoryID) throws -> Consent?
    /// In order of the clients' identifiers.
    func consents(of user: UserID, in directory: DirectoryID) throws -> [Consent]
}

public protocol AuthorizationWriting: AuthorizationReading {
    func insert(_ pending: PendingAuthorization) throws
    /// Writes what the user has chosen and answered. Whether the request was still to be completed.
    func update(_ pending: PendingAuthorization) throws -> Bool
    /// Whether it was still to be completed: of two callers at once, one gets `true`.
    func complete(_ id: PendingAuthorizationID, at now: Instant) throws -> Bool
    /// Writes the consent in place of the one that the user gave the client before.
    func put(_ consent: Consent) throws
    /// Whether there was one.
    func deleteConsent(of user: UserID, to client: ClientID, in directory: DirectoryID) throws -> Bool
    func deleteConsents(of user: UserID, in directory: DirectoryID) throws
    /// Deletes what expired before `instant`.
    func purgeAuthorizations(expiredBefore instant: Instant, limit: Int) throws -> Int
}
