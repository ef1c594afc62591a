// SPDX-License-Identifier: Apache-2.0

/// What is kept of a credential that an answer is judged by.
public struct CredentialRecord: Sendable, Hashable {
    public var id: [UInt8]
    /// COSE_Key, as the authenticator gave it.
    public var publicKey: [UInt8]
    public var signatureCount: UInt32
    public var isBackupEligible: Bool
    /// By which authenticators know the user whose it is.
    public var userHandle: [UInt8]

    public init(
        id: [UInt8], publicKey: [UInt8], signatureCount: UInt32, isBackupEligible: Bool, userHandle: [UInt8]
    ) {
        self.id = id
        self.publicKey = publicKey
        self.signatureCount = signatureCount
        self.isBackupEligible = isBackupEligible
        self.userHandle = userHandle
    }
}
