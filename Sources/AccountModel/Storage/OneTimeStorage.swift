// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol OneTimeReading {
    func oneTimeToken(linkHash: [UInt8], in directory: DirectoryID) throws -> OneTimeToken?
    /// The user's token of this purpose that was sent for no sign-up.
    func oneTimeToken(
        of user: UserID, purpose: OneTimeToken.Purpose, in directory: DirectoryID
    ) throws -> OneTimeToken?
    /// All of the user's tokens of this purpose: those of their sign-ups, and the one that is of none.
    func oneTimeTokens(
        of user: UserID, purpose: OneTimeToken.Purpose, in directory: DirectoryID
    ) throws -> [OneTimeToken]
    /// Tokens of this purpose whose message went to `recipient`, those that `asker` asked for first, then the newest
    /// first, at most `limit`: several users may have asked to change to one address.
    func oneTimeTokens(
        to recipient: String, purpose: OneTimeToken.Purpose, in directory: DirectoryID, askedBy asker: [UInt8],
        limit: Int
    ) throws -> [OneTimeToken]
    func authorizationCode(hash: [UInt8], in directory: DirectoryID) throws -> AuthorizationCode?
}

public protocol OneTimeWriting: OneTimeReading {
    /// Takes the place of the user's token of the same purpose and sign-up, if there is one: a user has at most one of
    /// each.
    func replace(_ token: OneTimeToken) throws
    /// Deletes the token. Whether it was still there: of two callers at once, one gets `true`.
    func consume(_ id: OneTimeTokenID) throws -> Bool
    /// Counts a wrong code, apart for whoever the code is their own. The token stays, since its link can't be guessed.
    func countAttempt(_ id: OneTimeTokenID, isOwn: Bool) throws
    /// Deletes the user's tokens of these purposes; of every purpose when `nil`.
    func deleteOneTimeTokens(
        of user: UserID, in directory: DirectoryID, purposes: [OneTimeToken.Purpose]?
    ) throws
    func insert(_ code: AuthorizationCode) throws
    /// Marks the code used and names the session it became, if it did; what a provider gave goes. Whether it was
    /// unused: a compare-and-swap.
    func use(_ id: FlowStateID, session: SessionID?, at now: Instant) throws -> Bool
    /// Deletes the user's codes, and raises ``User/endedCodes`` for those that are not kept here.
    func deleteAuthorizationCodes(of user: UserID, in directory: DirectoryID) throws
    /// Deletes tokens and codes that expired before `instant`.
    func purgeOneTime(expiredBefore instant: Instant, limit: Int) throws -> Int
}
