// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol AuthorizationReading: RegistrationReading {
    /// Also an expired or completed one. By identifier alone: it names its Directory.
    func pendingAuthorization(_ id: PendingAuthorizationID) throws -> PendingAuthorization?
    /// By the code that the device asks by. Also one that has expired or was answered.
    func deviceAuthorization(deviceHash: [UInt8], in directory: DirectoryID) throws -> DeviceAuthorization?
    /// By the code that the user types.
    func deviceAuthorization(userHash: [UInt8], in directory: DirectoryID) throws -> DeviceAuthorization?
    func consent(of user: UserID, to client: ClientID, in directory: DirectoryID) throws -> Consent?
    /// In order of the clients' identifiers.
    func consents(of user: UserID, in directory: DirectoryID) throws -> [Consent]
}

public protocol AuthorizationWriting: AuthorizationReading, RegistrationWriting {
    func insert(_ pending: PendingAuthorization) throws
    /// Writes what the user has chosen and answered. Whether the request was still to be completed.
    func update(_ pending: PendingAuthorization) throws -> Bool
    /// Whether it was still to be completed: of two callers at once, one gets `true`.
    func complete(_ id: PendingAuthorizationID, at now: Instant) throws -> Bool
    func insert(_ device: DeviceAuthorization) throws
    /// Writes when the device asked, and how long it waits from now on.
    func notePoll(_ device: DeviceAuthorization) throws
    /// Writes what the user has answered. Whether nobody had before.
    func answer(_ device: DeviceAuthorization) throws -> Bool
    /// Whether the device had been given nothing: of two callers at once, one gets `true`.
    func use(_ id: DeviceAuthorizationID, at now: Instant) throws -> Bool
    /// Writes the consent in place of the one that the user gave the client before.
    func put(_ consent: Consent) throws
    /// Whether there was one.
    func deleteConsent(of user: UserID, to client: ClientID, in directory: DirectoryID) throws -> Bool
    func deleteConsents(of user: UserID, in directory: DirectoryID) throws
    /// Deletes what expired before `instant`.
    func purgeAuthorizations(expiredBefore instant: Instant, limit: Int) throws -> Int
}
