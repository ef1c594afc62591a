// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Passwords

/// What somebody signed up with. It is nothing to the account until a message that was sent for it is answered: then
/// the account becomes what this sign-up asked for, and not what any other did.
public struct SignUpAttempt: Sendable {
    public var id: SignUpAttemptID
    public var directoryID: DirectoryID
    public var userID: UserID
    /// `nil` for a sign-up with the address of an account that is somebody's: it is remembered, so that the next one
    /// has to wait as for any address, and comes to nothing.
    public var passwordHash: PasswordHash?
    /// Of the same password, where the Directory has SRP enabled.
    public var srpVerifier: SRPVerifier?
    /// A number beside the address, for the account to confirm later.
    public var phone: PhoneNumber?
    /// An address beside the number that the sign-up was by, which is nobody's name.
    public var email: EmailAddress?
    public var userMetadata: JSONObject
    /// What the sign-up said beside it, in the place of its dialect, and what programs of the operator's have said of
    /// it.
    public var dialectData: DialectData
    /// A program of the operator's has said that whoever has it is to be disabled.
    public var isDisabled: Bool
    /// What was agreed to with it; `nil` where nothing was.
    public var agreed: AgreedTerms?
    /// Roughly where it came from: tells the sign-ups of different people apart.
    public var truncatedAddress: String?
    public var createdAt: Instant

    public init(
        id: SignUpAttemptID, directoryID: DirectoryID, userID: UserID, passwordHash: PasswordHash? = nil,
        srpVerifier: SRPVerifier? = nil, phone: PhoneNumber? = nil, email: EmailAddress? = nil,
        userMetadata: JSONObject = [:], dialectData: DialectData = DialectData(), isDisabled: Bool = false,
        agreed: AgreedTerms? = nil, truncatedAddress: String? = nil, createdAt: Instant
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.passwordHash = passwordHash
        self.srpVerifier = srpVerifier
        self.phone = phone
        self.email = email
        self.userMetadata = userMetadata
        self.dialectData = dialectData
        self.isDisabled = isDisabled
        self.agreed = agreed
        self.truncatedAddress = truncatedAddress
        self.createdAt = createdAt
    }
}
