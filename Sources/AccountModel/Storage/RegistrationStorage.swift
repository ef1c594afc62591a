// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol RegistrationReading {
    /// By its text's hash alone: it names its Directory. Also one that has expired, was revoked or is used up.
    func initialAccessToken(hash: [UInt8]) throws -> InitialAccessToken?
    func initialAccessToken(_ id: InitialAccessTokenID, in directory: DirectoryID) throws -> InitialAccessToken?
    /// The oldest first.
    func initialAccessTokens(in directory: DirectoryID) throws -> [InitialAccessToken]
    /// `nil` for a client that an operator has registered.
    func selfRegistration(of client: ClientID, in directory: DirectoryID) throws -> SelfRegistration?
    /// In no order.
    func selfRegistrations(in directory: DirectoryID) throws -> [SelfRegistration]
}

public protocol RegistrationWriting: RegistrationReading {
    func insert(_ token: InitialAccessToken) throws
    /// Writes its scopes; the rest stays as it was inserted.
    func update(_ token: InitialAccessToken) throws
    /// Whether it was not revoked before.
    func revokeInitialAccessToken(_ id: InitialAccessTokenID, in directory: DirectoryID, at now: Instant) throws -> Bool
    /// Counts a registration. Whether there was room for it: of two callers at once who want the last, one gets `true`.
    func useInitialAccessToken(_ id: InitialAccessTokenID) throws -> Bool
    func insert(_ registration: SelfRegistration) throws
    /// Writes what an operator has left; the rest stays as it was inserted.
    func update(_ registration: SelfRegistration) throws
}
