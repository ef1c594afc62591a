// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a factor's user has been asked, until they answer: the code that was sent to them, or what an authenticator is
/// to sign. Good once, and for whoever was asked.
public struct FactorChallenge: Sendable {
    public var id: FactorChallengeID
    public var directoryID: DirectoryID
    /// `nil` where it is only the answer that says who it is.
    public var userID: UserID?
    /// `nil` where any of the user's, or one that is yet to be made, may answer.
    public var factorID: FactorID?
    /// The session or the sign-in that it is asked in: nobody else's answer is taken.
    public var holder: String
    /// HMAC-SHA256 under the Directory's token key of a code that was sent; empty where none was.
    public var codeHash: [UInt8]
    /// What the flow that asked must know when it is answered, such as an authenticator's challenge. No secret of ours.
    public var data: JSONObject
    public var createdAt: Instant
    public var expiresAt: Instant
    public var usedAt: Instant?

    public init(
        id: FactorChallengeID, directoryID: DirectoryID, userID: UserID?, factorID: FactorID?, holder: String,
        codeHash: [UInt8] = [], data: JSONObject = [:], createdAt: Instant, expiresAt: Instant, usedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.factorID = factorID
        self.holder = holder
        self.codeHash = codeHash
        self.data = data
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }
}
