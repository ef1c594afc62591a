// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A proof that is used once: the link and the code that one message carries. Only their hashes are kept.
public struct OneTimeToken: Sendable {
    public enum Purpose: String, Sendable, CaseIterable {
        case signUpConfirmation = "sign_up"
        case invitation
        case magicLink = "magic_link"
        case recovery
        /// Of an account that wrong passwords have locked: its link lifts the lock and leads to a new password.
        case unlock
        /// Its link gives everything that is held about the user, and signs nobody in.
        case export
        /// Sent to the address that the user has now.
        case emailChangeCurrent = "email_change_current"
        /// Sent to the address that the user wants.
        case emailChangeNew = "email_change_new"
        case phoneSignIn = "phone_sign_in"
        case phoneChange = "phone_change"
        case reauthentication
        /// Its link stops a recovery of second factors (``FactorRecovery``), and signs nobody in.
        case factorRecoveryStop = "factor_recovery_stop"
    }

    public var id: OneTimeTokenID
    public var directoryID: DirectoryID
    public var userID: UserID
    public var purpose: Purpose
    /// SHA-256 of the link's token (at least 128 random bits).
    public var linkHash: [UInt8]
    /// HMAC-SHA256 of the code under the Directory's token key, bound to the user and the purpose.
    public var codeHash: [UInt8]
    /// The address or number that the message went to: a code proves only that.
    public var recipient: String
    /// The PKCE challenge of the request that asked for the message, when it used PKCE.
    public var codeChallenge: CodeChallenge?
    /// The sign-up that the message was sent for.
    public var signUp: SignUpAttemptID?
    /// What whoever asked has agreed to with it: a word of the account's once it is answered, and until then nobody's.
    public var agreed: AgreedTerms?
    /// A program of the operator's has said, of the sign-up that it was asked for with, that whoever has it is to be
    /// disabled.
    public var isDisabled: Bool
    /// Whether it was sent on the word of whoever holds the account: by their own sign-up, to their session, or by an
    /// operator. Who shows it confirms the account as it is. Any other was sent on the word of the address alone, which
    /// anybody may name, and whoever shows it takes the account from who opened it.
    public var isHolders: Bool
    /// HMAC-SHA256 of the origin that asked for the message.
    public var askedBy: [UInt8]
    /// Wrong codes of those who neither asked for this one nor are known.
    public var attempts: Int
    /// Wrong codes of whoever asked, and of networks that the user was in before.
    public var ownAttempts: Int
    public var createdAt: Instant
    public var expiresAt: Instant
    /// When the code alone ceases to work, earlier than the link where the code is short.
    public var codeExpiresAt: Instant

    public init(
        id: OneTimeTokenID, directoryID: DirectoryID, userID: UserID, purpose: Purpose, linkHash: [UInt8],
        codeHash: [UInt8], recipient: String, codeChallenge: CodeChallenge? = nil, signUp: SignUpAttemptID? = nil,
        agreed: AgreedTerms? = nil, isDisabled: Bool = false, isHolders: Bool = false, askedBy: [UInt8] = [],
        attempts: Int = 0, ownAttempts: Int = 0, createdAt: Instant, expiresAt: Instant,
        codeExpiresAt: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.purpose = purpose
        self.linkHash = linkHash
        self.codeHash = codeHash
        self.recipient = recipient
        self.codeChallenge = codeChallenge
        self.signUp = signUp
        self.agreed = agreed
        self.isDisabled = isDisabled
        self.isHolders = isHolders
        self.askedBy = askedBy
        self.attempts = attempts
        self.ownAttempts = ownAttempts
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.codeExpiresAt = codeExpiresAt
    }
}
